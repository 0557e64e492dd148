/*
 * vgf_io_bench: measures model-boundary I/O of ExecuTorch models on the Arm
 * VGF backend.
 *
 * This header is the whole public interface of the shared library. It is C99,
 * names no Vulkan and no C++ type, and the part between the two cffi markers
 * is read as it stands by the Python harness.
 *
 * Common rules
 *   Status     Every function that can fail returns a vgfio_status. Its value
 *              is also the exit code of the programs. No function throws or
 *              aborts; on failure vgfio_error_detail() has one line that says
 *              what to change.
 *   Ownership  Buffers bound with vgfio_bind() stay the caller's. The library
 *              reads and writes them during vgfio_run() only, never frees
 *              them, and forgets them in vgfio_unbind() and
 *              vgfio_session_destroy(). Tear down in the order session,
 *              buffers. Strings returned by the library belong to it; each
 *              comment says how long they live.
 *   Threads    One session is used by one thread at a time. Different
 *              sessions may be used by different threads.
 *              vgfio_request_stop() may be called from anywhere, a signal
 *              handler included.
 *   Sizes      struct_size must hold sizeof(the struct) as the caller knows
 *              it. A library that needs more refuses with
 *              VGFIO_INVALID_REQUEST.
 *   Units      Times are nanoseconds of the monotonic clock, sizes are bytes.
 */
#ifndef VGF_IO_BENCH_H
#define VGF_IO_BENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* cffi: begin */

enum {
  VGFIO_ABI_VERSION = 1,
  VGFIO_MAX_DIMS = 16,
  VGFIO_NAME_CAPACITY = 64,
  VGFIO_DETAIL_CAPACITY = 192
};

/* Outcome of a call, and exit code of a program. */
typedef enum vgfio_status {
  VGFIO_OK = 0,
  VGFIO_RUN_FAILED = 1,      /* the run began and failed */
  VGFIO_INVALID_REQUEST = 2, /* bad option, file, model or argument */
  VGFIO_UNSUPPORTED = 3,     /* the device cannot do it */
  VGFIO_INTERRUPTED = 130    /* vgfio_request_stop(); what was measured is valid */
} vgfio_status;

/* What to do with tensors at the model boundary. */
typedef enum vgfio_io_mode {
  VGFIO_IO_COPY = 0,      /* memcpy between the caller's buffer and device-visible memory */
  VGFIO_IO_ZERO_COPY = 1, /* import the caller's buffer as device memory */
  VGFIO_IO_STAGED = 2,    /* import, and let the device copy to its own memory and back */
  VGFIO_IO_LEND = 3       /* the session lends its host-visible memory as the caller's buffer */
} vgfio_io_mode;

/* How a tensor really crossed the boundary. */
typedef enum vgfio_path {
  VGFIO_PATH_COPY = 0,
  VGFIO_PATH_ZERO_COPY = 1,
  VGFIO_PATH_STAGED = 2,
  VGFIO_PATH_LENT = 3,
  VGFIO_PATH_NONE = 4 /* nothing crossed: the tensor was eliminated */
} vgfio_path;

/* Why a tensor that was meant to be zero-copy was copied. The name and the
 * remedy of each are in vgfio_reason_name() and vgfio_reason_remedy(). */
typedef enum vgfio_reason {
  VGFIO_REASON_NONE = 0,
  VGFIO_REASON_EXTENSION_MISSING = 1,
  VGFIO_REASON_NULL_POINTER = 2,
  VGFIO_REASON_MISALIGNED_POINTER = 3,
  VGFIO_REASON_SIZE_NOT_A_MULTIPLE = 4,
  VGFIO_REASON_REQUIREMENT_EXCEEDS_BUFFER = 5,
  VGFIO_REASON_NO_COMMON_MEMORY_TYPE = 6,
  VGFIO_REASON_NOT_HOST_COHERENT = 7,
  VGFIO_REASON_IMPORT_FAILED = 8,
  VGFIO_REASON_IMPORT_DOES_NOT_ALIAS = 9,
  VGFIO_REASON_NOT_A_TENSOR_DESCRIPTOR = 10,
  VGFIO_REASON_ALIASED_RESOURCE = 11,
  VGFIO_REASON_ELIMINATED = 12,
  VGFIO_REASON_MEMORY_PLANNED = 13,
  VGFIO_REASON_CONSTANT = 14,
  VGFIO_REASON_OVERLAPPING_BUFFERS = 15,
  VGFIO_REASON_READ_ONLY = 16,
  VGFIO_REASON_UNSUPPORTED_FORMAT_OR_LAYOUT = 17,
  VGFIO_REASON_COUNT = 18
} vgfio_reason;

typedef enum vgfio_direction { VGFIO_INPUT = 0, VGFIO_OUTPUT = 1 } vgfio_direction;

/* How the host waits for the device. */
typedef enum vgfio_wait {
  VGFIO_WAIT_ADAPTIVE = 0, /* spin for a bounded time, then block; blocks only on a CPU device */
  VGFIO_WAIT_FENCE = 1,
  VGFIO_WAIT_SPIN = 2
} vgfio_wait;

/* Memory that the session copies to and from, and lends. */
typedef enum vgfio_copy_memory {
  VGFIO_COPY_MEMORY_AUTO = 0,        /* cached, not behind a bus window, where there is such memory */
  VGFIO_COPY_MEMORY_CACHED = 1,      /* HOST_CACHED, or the session fails */
  VGFIO_COPY_MEMORY_UNCACHED = 2,    /* not cached (write-combined) where there is such memory */
  VGFIO_COPY_MEMORY_DEVICE_LOCAL = 3 /* DEVICE_LOCAL and host-visible, or the session fails */
} vgfio_copy_memory;

/* One measured inference: the sum over all VGF delegates of the method, or one
 * delegate's part of it. */
typedef struct vgfio_record {
  uint64_t start_ns;             /* begin of the inference, relative to the first one of its run */
  uint64_t latency_ns;           /* wall time of Method::execute(); 0 in a delegate's part */
  uint64_t execute_ns;           /* time inside the VGF delegate(s) */
  uint64_t in_copy_bytes;        /* moved by the CPU at the boundary */
  uint64_t out_copy_bytes;
  uint64_t in_memcpy_ns;         /* time in exactly those memcpys */
  uint64_t out_memcpy_ns;
  uint64_t in_zero_copy_bytes;   /* crossed the boundary without a CPU copy */
  uint64_t out_zero_copy_bytes;
  uint64_t imports;              /* host-memory imports done in this inference */
  uint64_t import_ns;
  uint64_t binding_refreshes;    /* rebinding because a pointer changed */
  uint64_t binding_refresh_ns;   /* without the imports themselves */
  uint64_t submit_wait_ns;       /* queue submit to fence signalled */
  uint64_t gpu_ns;               /* device time; valid only if gpu_ns_valid is 1 */
  uint64_t gpu_ns_valid;         /* 1 in a profiling pass on a device with timestamps */
  uint64_t fallback_count;       /* tensors meant to be zero-copy that were copied */
  uint64_t rejection_count;      /* imports refused in this inference */
} vgfio_record;

/* A model input or output, as the method declares it. Constant over a session. */
typedef struct vgfio_tensor_info {
  uint32_t struct_size;
  uint32_t dim_count;
  char name[VGFIO_NAME_CAPACITY];  /* "input 0", or the name in the model where it has one */
  char dtype[VGFIO_NAME_CAPACITY]; /* numpy spelling: "float32", "int8", ...; "bfloat16" has no numpy type */
  int64_t shape[VGFIO_MAX_DIMS];   /* elements */
  int64_t strides[VGFIO_MAX_DIMS]; /* elements */
  uint8_t dim_order[VGFIO_MAX_DIMS];
  uint64_t bytes;                  /* of the tensor itself */
  uint64_t required_alignment;     /* power of two; what vgfio_bind() asks of the pointer */
  uint64_t required_capacity;      /* what vgfio_bind() asks of the buffer, at least `bytes`; the
                                      tail behind `bytes` stays the caller's, the device never writes it */
  uint32_t memory_planned;         /* 1: lives in the method's planned memory */
  uint32_t element_bytes;
} vgfio_tensor_info;

/* How one delegate tensor crossed the boundary in the last inference. */
typedef struct vgfio_tensor_path {
  uint32_t struct_size;
  uint32_t delegate;           /* index of the VGF delegate in the method */
  uint32_t direction;          /* vgfio_direction, seen from the delegate */
  uint32_t index;              /* among that delegate's inputs or outputs */
  uint32_t path;               /* vgfio_path */
  uint32_t reason;             /* vgfio_reason; NONE unless a copy was not wanted */
  int32_t vk_result;           /* with VGFIO_REASON_IMPORT_FAILED, else 0 */
  int32_t memory_type;         /* index, or -1 where no memory is bound */
  uint32_t memory_flags;       /* VkMemoryPropertyFlags of that type */
  uint32_t imported;           /* 1: the memory is the caller's */
  uint64_t pointer;            /* host address, as a number */
  uint64_t alignment;          /* largest power of two that divides it */
  uint64_t bytes;              /* of the tensor */
  uint64_t allocated_bytes;    /* of the device memory behind it */
  char detail[VGFIO_DETAIL_CAPACITY]; /* one sentence on the reason, with the numbers */
} vgfio_tensor_path;

/* Options of a session. Zero-initialise, set struct_size, set what differs. */
typedef struct vgfio_session_options {
  uint32_t struct_size;
  uint32_t io_mode;            /* vgfio_io_mode */
  uint32_t wait;               /* vgfio_wait */
  uint32_t io_alignment;       /* bytes, power of two >= 64; 0: what the device asks for */
  uint32_t require_zero_copy;  /* 1: a tensor that has to be copied fails the run */
  uint32_t allow_planned_io;   /* 1: accept memory-planned inputs and outputs */
  uint32_t copy_memory;        /* vgfio_copy_memory */
  uint32_t binding_sets;       /* combinations of bound buffers kept ready; 0: 16 */
  const char* method_name;     /* NULL or "": the first method */
  const char* data_path;       /* .ptd file, or NULL */
  const char* device;          /* part of the device's name, or its index; NULL: the stated rule */
} vgfio_session_options;

/* One call of vgfio_run(). Zero-initialise, set struct_size, set what differs. */
typedef struct vgfio_run_options {
  uint32_t struct_size;
  uint32_t profile_device;     /* 1: take device timestamps (disturbs the latency) */
  uint64_t warmup;             /* inferences before the measured ones */
  uint64_t iterations;         /* measured inferences */
  uint64_t max_ns;             /* stop early after that time, with VGFIO_OK; 0: no limit */
} vgfio_run_options;

/* An opaque session: one loaded method and its bindings. */
typedef struct vgfio_session vgfio_session;

/* Version of this interface that the library was built with. Compare with
 * VGFIO_ABI_VERSION before any other call. */
uint32_t vgfio_abi_version(void);

/* JSON object with the library's version, build type, compiler, ExecuTorch
 * version and build options. Static, never NULL. */
const char* vgfio_build_info(void);

/* What went wrong in the last failing call of this thread, one line, never
 * NULL. Valid until the next call on this thread. */
const char* vgfio_error_detail(void);

/* Identifier ("misaligned_pointer") and remedy of a reason, static strings;
 * "unknown" for a number outside the list. The same for modes and paths. */
const char* vgfio_reason_name(uint32_t reason);
const char* vgfio_reason_remedy(uint32_t reason);
const char* vgfio_io_mode_name(uint32_t io_mode);
const char* vgfio_path_name(uint32_t path);

/* JSON array of what this machine offers: loader, drivers, layers, devices and
 * for each device what it lacks. Opens and closes Vulkan. *out is valid until
 * the next call on this thread. */
int vgfio_probe_devices(const char** out_json);

/* Loads a program (a plain .pte) and its method. options may be NULL for the
 * defaults (copy mode). On success *out is owned by the caller; on failure it
 * is NULL. The second form reads `bytes` bytes at `data`, which must stay
 * valid and unchanged until the session is destroyed. */
int vgfio_session_create(const char* model_path, const vgfio_session_options* options,
                         vgfio_session** out);
int vgfio_session_create_from_memory(const void* data, size_t bytes,
                                     const vgfio_session_options* options, vgfio_session** out);

/* Releases everything of the session; NULL is allowed. Bound buffers are
 * untouched and may be freed afterwards. */
void vgfio_session_destroy(vgfio_session* session);

/* Number of inputs or outputs of the method. */
int vgfio_tensor_count(vgfio_session* session, uint32_t direction, uint32_t* out);

/* Fills *out (out->struct_size set by the caller) for one input or output. */
int vgfio_tensor_describe(vgfio_session* session, uint32_t direction, uint32_t index,
                          vgfio_tensor_info* out);

/* Binds the caller's buffer of `capacity` bytes. Allowed between runs, also to
 * replace an earlier binding. Fails if capacity < bytes or the pointer is not
 * aligned to the element size; a buffer short of required_alignment or
 * required_capacity is accepted and copied, with the reason in its path.
 * Inputs are never written, except by a model that works in place. */
int vgfio_bind(vgfio_session* session, uint32_t direction, uint32_t index, void* data,
               size_t capacity);

/* Forgets the binding; the next run needs a new one. */
int vgfio_unbind(vgfio_session* session, uint32_t direction, uint32_t index);

/* Keeps what the session derives from a buffer of `capacity` bytes (its import)
 * also while another is bound in its place, as in a ring of buffers, until
 * vgfio_forget() or the session's end. Bind it with the same capacity. The
 * buffer must stay valid that long. Fails if it overlaps another known buffer
 * without being the same. */
int vgfio_keep(vgfio_session* session, void* data, size_t capacity);

/* Undoes vgfio_keep(); before it returns the import is gone unless the buffer
 * is bound. */
int vgfio_forget(vgfio_session* session, void* data);

/* With VGFIO_IO_LEND: the session's own memory for this input or output, to be
 * used as the caller's buffer and bound like any other. NULL in *out and
 * VGFIO_UNSUPPORTED where there is none. Valid until the session ends. */
int vgfio_lend(vgfio_session* session, uint32_t direction, uint32_t index, void** out,
               size_t* capacity);

/* Number of VGF delegates in the method. */
int vgfio_delegate_count(vgfio_session* session, uint32_t* out);

/* Runs the warm-up and the measured inferences on the bound buffers. Fills
 * records[0 .. *written), at most `iterations` of them; `capacity` counts
 * records and must be at least `iterations`. delegate_records may be NULL;
 * else it has room for capacity * delegate count, iteration-major. Allocates
 * nothing and logs nothing inside the loop. */
int vgfio_run(vgfio_session* session, const vgfio_run_options* options, vgfio_record* records,
              size_t capacity, vgfio_record* delegate_records, size_t* written);

/* Number of delegate tensors, and the path of each in the last inference
 * (out->struct_size set by the caller). */
int vgfio_path_count(vgfio_session* session, uint32_t* out);
int vgfio_path_get(vgfio_session* session, uint32_t index, vgfio_tensor_path* out);

/* The parts of a report that are constant over a session, as a JSON object
 * with the keys "tool", "host", "device", "model", "io" and "init" of the
 * report schema. *out is valid until the next call on this session. */
int vgfio_session_report(vgfio_session* session, const char** out_json);

/* Makes every running vgfio_run() return VGFIO_INTERRUPTED after the current
 * inference, and every later one at once, until vgfio_clear_stop().
 * Async-signal-safe. */
void vgfio_request_stop(void);
void vgfio_clear_stop(void);

/* cffi: end */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* VGF_IO_BENCH_H */
