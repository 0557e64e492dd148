/* A stand-in for the native library that fails on purpose: failures that the real one cannot
 * be made to show. The model's path says which: "status-N" cannot be created with status N,
 * "run-N" cannot be run. One float32 input and output of shape 2 x 3; a run writes input + 1.
 * FAKE_ABI, FAKE_REPORT and FAKE_PROBE (an expression) are set by the test that compiles it. */
#include "vgf_io_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FAKE_ABI
#define FAKE_ABI VGFIO_ABI_VERSION
#endif
#ifndef FAKE_REPORT
#define FAKE_REPORT "{\"tool\": {}}"
#endif
#ifndef FAKE_PROBE
#define FAKE_PROBE "[]"
#endif

struct vgfio_session {
  int run_status;
  float* data[2];
  size_t capacity[2];
};

static char detail[128] = "";
static volatile int stopped = 0;

static int fail(int status, const char* text) {
  snprintf(detail, sizeof detail, "%s", text);
  return status;
}

uint32_t vgfio_abi_version(void) { return FAKE_ABI; }
const char* vgfio_build_info(void) { return "{}"; }
const char* vgfio_error_detail(void) { return detail; }
const char* vgfio_reason_name(uint32_t reason) { return reason == 0 ? "none" : "other"; }
const char* vgfio_reason_remedy(uint32_t reason) { return reason == 0 ? "" : "change it"; }
const char* vgfio_io_mode_name(uint32_t mode) { return mode == 0 ? "copy" : "other"; }
const char* vgfio_path_name(uint32_t path) { return path == 0 ? "copy" : "other"; }

int vgfio_probe_devices(const char** out) {
  *out = FAKE_PROBE;
  return VGFIO_OK;
}

static int number_after(const char* text, const char* word) {
  const char* found = strstr(text, word);
  return found == NULL ? 0 : atoi(found + strlen(word));
}

int vgfio_session_create(const char* path, const vgfio_session_options* options,
                         vgfio_session** out) {
  *out = NULL;
  if (options->struct_size < sizeof *options) return fail(VGFIO_INVALID_REQUEST, "old struct");
  if (strstr(path, "status-")) return fail(number_after(path, "status-"), "made to fail");
  *out = calloc(1, sizeof **out);
  (*out)->run_status = number_after(path, "run-");
  return VGFIO_OK;
}

int vgfio_session_create_from_memory(const void* data, size_t bytes,
                                     const vgfio_session_options* options, vgfio_session** out) {
  char path[64] = "";
  memcpy(path, data, bytes < sizeof path ? bytes : sizeof path - 1);
  return vgfio_session_create(path, options, out);
}

void vgfio_session_destroy(vgfio_session* session) { free(session); }

int vgfio_tensor_count(vgfio_session* session, uint32_t direction, uint32_t* out) {
  (void)session, (void)direction;
  *out = 1;
  return VGFIO_OK;
}

int vgfio_tensor_describe(vgfio_session* session, uint32_t direction, uint32_t index,
                          vgfio_tensor_info* out) {
  (void)session;
  if (out->struct_size < sizeof *out) return fail(VGFIO_INVALID_REQUEST, "old struct");
  snprintf(out->name, sizeof out->name, "%s %u", direction ? "output" : "input", index);
  snprintf(out->dtype, sizeof out->dtype, "float32");
  out->dim_count = 2;
  out->shape[0] = 2, out->shape[1] = 3;
  out->strides[0] = 3, out->strides[1] = 1;
  out->dim_order[0] = 0, out->dim_order[1] = 1;
  out->bytes = 24;
  out->required_alignment = 256;
  out->required_capacity = 256;
  out->element_bytes = 4;
  return VGFIO_OK;
}

int vgfio_bind(vgfio_session* session, uint32_t direction, uint32_t index, void* data,
               size_t capacity) {
  if (index != 0) return fail(VGFIO_INVALID_REQUEST, "no such tensor");
  session->data[direction] = data;
  session->capacity[direction] = capacity;
  return VGFIO_OK;
}

int vgfio_unbind(vgfio_session* session, uint32_t direction, uint32_t index) {
  (void)index;
  session->data[direction] = NULL;
  return VGFIO_OK;
}

int vgfio_lend(vgfio_session* session, uint32_t direction, uint32_t index, void** out,
               size_t* capacity) {
  (void)session, (void)direction, (void)index;
  *out = NULL;
  *capacity = 0;
  return fail(VGFIO_UNSUPPORTED, "nothing to lend");
}

int vgfio_delegate_count(vgfio_session* session, uint32_t* out) {
  (void)session;
  *out = 2;
  return VGFIO_OK;
}

int vgfio_run(vgfio_session* session, const vgfio_run_options* options, vgfio_record* records,
              size_t capacity, vgfio_record* delegate_records, size_t* written) {
  *written = 0;
  if (capacity < options->iterations) return fail(VGFIO_INVALID_REQUEST, "too few records");
  if (session->run_status) return fail(session->run_status, "made to fail");
  if (!session->data[0] || !session->data[1]) {
    return fail(VGFIO_INVALID_REQUEST, "a tensor is not bound");
  }
  for (size_t i = 0; i < options->iterations && !stopped; ++i) {
    for (int k = 0; k < 6; ++k) session->data[1][k] = session->data[0][k] + 1;
    records[i].latency_ns = 100 + i;
    /* A delegate's part carries the capacity of the buffers, for tests to look at. */
    delegate_records[2 * i].in_copy_bytes = session->capacity[0];
    delegate_records[2 * i + 1].out_copy_bytes = session->capacity[1];
    *written = i + 1;
  }
  return stopped ? fail(VGFIO_INTERRUPTED, "stopped") : VGFIO_OK;
}

int vgfio_path_count(vgfio_session* session, uint32_t* out) {
  (void)session;
  *out = 1;
  return VGFIO_OK;
}

int vgfio_path_get(vgfio_session* session, uint32_t index, vgfio_tensor_path* out) {
  (void)session, (void)index;
  if (out->struct_size < sizeof *out) return fail(VGFIO_INVALID_REQUEST, "old struct");
  out->direction = VGFIO_OUTPUT;
  out->reason = VGFIO_REASON_MISALIGNED_POINTER;
  out->memory_type = -1;
  out->bytes = 24;
  snprintf(out->detail, sizeof out->detail, "pointer is off by 4");
  return VGFIO_OK;
}

int vgfio_session_report(vgfio_session* session, const char** out) {
  (void)session;
  *out = FAKE_REPORT;
  return VGFIO_OK;
}

void vgfio_request_stop(void) { stopped = 1; }
void vgfio_clear_stop(void) { stopped = 0; }
