/* The C interface from C: what it refuses (no device needed), and a session in
 * both modes on the device of this machine.
 *
 *   c_api_test refusals|device MODEL PLANNED_MODEL
 *
 * Exit code 77: no device can run a session here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vgf_io_bench.h"

static int failures = 0;

#define CHECK(condition)                                                                \
  do {                                                                                  \
    if (!(condition)) {                                                                 \
      ++failures;                                                                       \
      fprintf(stderr, "%s:%d: %s (detail: %s)\n", __FILE__, __LINE__, #condition,       \
              vgfio_error_detail());                                                    \
    }                                                                                   \
  } while (0)

static int detail_has(const char* text) { return strstr(vgfio_error_detail(), text) != NULL; }

static vgfio_session_options options_of(uint32_t io_mode) {
  vgfio_session_options options;
  memset(&options, 0, sizeof(options));
  options.struct_size = sizeof(options);
  options.io_mode = io_mode;
  return options;
}

static void check_constants(void) {
  CHECK(vgfio_abi_version() == VGFIO_ABI_VERSION);
  CHECK(strstr(vgfio_build_info(), "\"executorch\"") != NULL);
  CHECK(strcmp(vgfio_reason_name(VGFIO_REASON_ELIMINATED), "eliminated") == 0);
  CHECK(strcmp(vgfio_reason_name(1000), "unknown") == 0);
  CHECK(strlen(vgfio_reason_remedy(VGFIO_REASON_READ_ONLY)) > 0);
  CHECK(strcmp(vgfio_io_mode_name(VGFIO_IO_LEND), "lend") == 0);
  CHECK(strcmp(vgfio_path_name(VGFIO_PATH_LENT), "lent") == 0);
  CHECK(sizeof(vgfio_record) == 18 * sizeof(uint64_t));
}

static void check_null_arguments(const char* model) {
  vgfio_session* session = (vgfio_session*)&failures;
  uint32_t count = 0;
  CHECK(vgfio_session_create(NULL, NULL, &session) == VGFIO_INVALID_REQUEST);
  CHECK(session == NULL);
  CHECK(detail_has("model_path is NULL"));
  CHECK(vgfio_session_create(model, NULL, NULL) == VGFIO_INVALID_REQUEST);
  CHECK(vgfio_session_create_from_memory(NULL, 10, NULL, &session) == VGFIO_INVALID_REQUEST);
  CHECK(vgfio_tensor_count(NULL, VGFIO_INPUT, &count) == VGFIO_INVALID_REQUEST);
  CHECK(detail_has("session is NULL"));
  CHECK(vgfio_bind(NULL, VGFIO_INPUT, 0, &count, sizeof(count)) == VGFIO_INVALID_REQUEST);
  CHECK(vgfio_run(NULL, NULL, NULL, 0, NULL, NULL) == VGFIO_INVALID_REQUEST);
  CHECK(vgfio_probe_devices(NULL) == VGFIO_INVALID_REQUEST);
  vgfio_session_destroy(NULL);
}

static void check_bad_requests(const char* model, const char* planned) {
  static const char text[] = "this is not a program at all, but it is long enough to be one ....";
  vgfio_session* session = NULL;
  vgfio_session_options options = options_of(VGFIO_IO_COPY);
  CHECK(vgfio_session_create("/no/such.pte", &options, &session) == VGFIO_INVALID_REQUEST);
  CHECK(detail_has("no such file"));
  CHECK(vgfio_session_create(planned, &options, &session) == VGFIO_INVALID_REQUEST);
  CHECK(detail_has("MemoryPlanningPass"));
  CHECK(vgfio_session_create_from_memory(text, sizeof(text), &options, &session) ==
        VGFIO_INVALID_REQUEST);
  options.struct_size = sizeof(options) - 8;
  CHECK(vgfio_session_create(model, &options, &session) == VGFIO_INVALID_REQUEST);
  CHECK(detail_has("struct_size"));
  options = options_of(17);
  CHECK(vgfio_session_create(model, &options, &session) == VGFIO_INVALID_REQUEST);
  options = options_of(VGFIO_IO_COPY);
  options.io_alignment = 96;
  CHECK(vgfio_session_create(model, &options, &session) == VGFIO_INVALID_REQUEST);
  CHECK(detail_has("power of two"));
  options = options_of(VGFIO_IO_COPY);
  options.method_name = "backward";
  CHECK(vgfio_session_create(model, &options, &session) == VGFIO_INVALID_REQUEST);
  CHECK(session == NULL);
}

enum { TENSORS = 3, RECORDS = 4, ELEMENTS = 4 * 256 * 256 };

/* Aligned memory for one tensor inside *block, which the caller frees. */
static float* allocate(const vgfio_tensor_info* info, void** block) {
  const size_t alignment = (size_t)info->required_alignment;
  size_t address;
  *block = malloc((size_t)info->required_capacity + alignment);
  address = ((size_t)*block + alignment - 1) & ~(alignment - 1);
  return (float*)address;
}

static void check_run(vgfio_session* session, float* output, uint32_t io_mode, uint64_t bytes) {
  vgfio_run_options run;
  vgfio_record records[RECORDS];
  vgfio_record parts[RECORDS];
  size_t written = 99;
  memset(&run, 0, sizeof(run));
  run.struct_size = sizeof(run);
  run.warmup = 1;
  run.iterations = RECORDS + 1;
  CHECK(vgfio_run(session, &run, records, RECORDS, parts, &written) == VGFIO_INVALID_REQUEST);
  CHECK(written == 0);
  run.iterations = RECORDS;
  CHECK(vgfio_run(session, &run, records, RECORDS, parts, &written) == VGFIO_OK);
  CHECK(written == RECORDS);
  CHECK(records[0].start_ns == 0 && records[0].latency_ns > 0);
  CHECK(records[0].execute_ns == parts[0].execute_ns);
  if (io_mode == VGFIO_IO_COPY) {
    CHECK(records[1].in_copy_bytes == 2 * bytes && records[1].out_copy_bytes == bytes);
    CHECK(records[1].in_zero_copy_bytes == 0 && records[1].out_zero_copy_bytes == 0);
  } else {
    CHECK(records[1].in_copy_bytes + records[1].in_zero_copy_bytes == 2 * bytes);
    CHECK(records[1].out_copy_bytes + records[1].out_zero_copy_bytes == bytes);
  }
  CHECK(output[0] == 3.0f && output[ELEMENTS - 1] == 3.0f);
}

static void check_stop(vgfio_session* session) {
  vgfio_run_options run;
  vgfio_record record;
  size_t written = 99;
  memset(&run, 0, sizeof(run));
  run.struct_size = sizeof(run);
  run.iterations = 1;
  vgfio_request_stop();
  CHECK(vgfio_run(session, &run, &record, 1, NULL, &written) == VGFIO_INTERRUPTED);
  CHECK(written == 0);
  vgfio_clear_stop();
  CHECK(vgfio_run(session, &run, &record, 1, NULL, &written) == VGFIO_OK);
}

static void check_session(vgfio_session* session, uint32_t io_mode) {
  void* blocks[TENSORS];
  float* data[TENSORS];
  vgfio_tensor_info info;
  vgfio_tensor_path path;
  const char* report = NULL;
  uint32_t count = 0;
  uint32_t i;
  CHECK(vgfio_tensor_count(session, VGFIO_INPUT, &count) == VGFIO_OK && count == 2);
  CHECK(vgfio_tensor_count(session, 7, &count) == VGFIO_INVALID_REQUEST);
  info.struct_size = sizeof(info);
  for (i = 0; i < TENSORS; ++i) {
    const uint32_t direction = i < 2 ? VGFIO_INPUT : VGFIO_OUTPUT;
    size_t element;
    CHECK(vgfio_tensor_describe(session, direction, i % 2, &info) == VGFIO_OK);
    CHECK(strcmp(info.dtype, "float32") == 0 && info.bytes == ELEMENTS * sizeof(float));
    data[i] = allocate(&info, &blocks[i]);
    for (element = 0; element < ELEMENTS; ++element) data[i][element] = (float)(i + 1);
    CHECK(vgfio_bind(session, direction, i % 2, data[i], (size_t)info.required_capacity) ==
          VGFIO_OK);
  }
  CHECK(vgfio_delegate_count(session, &count) == VGFIO_OK && count == 1);
  check_run(session, data[2], io_mode, info.bytes);
  check_stop(session);
  CHECK(vgfio_path_count(session, &count) == VGFIO_OK && count == TENSORS);
  path.struct_size = sizeof(path);
  CHECK(vgfio_path_get(session, 0, &path) == VGFIO_OK);
  CHECK(path.pointer == (uint64_t)(size_t)data[0]);
  CHECK(vgfio_path_get(session, TENSORS, &path) == VGFIO_INVALID_REQUEST);
  CHECK(vgfio_session_report(session, &report) == VGFIO_OK);
  CHECK(report != NULL && strstr(report, "\"device\"") != NULL);
  CHECK(vgfio_unbind(session, VGFIO_INPUT, 0) == VGFIO_OK);
  vgfio_session_destroy(session);
  for (i = 0; i < TENSORS; ++i) free(blocks[i]);
}

static int check_device(const char* model) {
  uint32_t io_mode;
  for (io_mode = VGFIO_IO_COPY; io_mode <= VGFIO_IO_ZERO_COPY; ++io_mode) {
    vgfio_session_options options = options_of(io_mode);
    vgfio_session* session = NULL;
    const int status = vgfio_session_create(model, &options, &session);
    if (status == VGFIO_UNSUPPORTED) {
      printf("skipped: %s\n", vgfio_error_detail());
      return 77;
    }
    CHECK(status == VGFIO_OK);
    if (session != NULL) check_session(session, io_mode);
  }
  return 0;
}

int main(int argc, char** argv) {
  int skipped = 0;
  if (argc != 4) {
    fprintf(stderr, "usage: c_api_test refusals|device MODEL PLANNED_MODEL\n");
    return 2;
  }
  if (strcmp(argv[1], "device") == 0) {
    skipped = check_device(argv[2]);
  } else {
    check_constants();
    check_null_arguments(argv[2]);
    check_bad_requests(argv[2], argv[3]);
  }
  if (failures != 0) return 1;
  return skipped;
}
