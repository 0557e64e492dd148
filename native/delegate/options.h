// Keys of the options that VgfBackend takes when a method is loaded (ExecuTorch
// LoadBackendOptionsMap, or set_option() for all methods loaded afterwards).
// Without them it follows the environment: ET_VGF_ZERO_COPY=1 asks for
// zero-copy, anything else for copy.
#pragma once

namespace vgfio {

inline constexpr char kVgfBackendName[] = "VgfBackend";

inline constexpr char kOptionIoMode[] = "io_mode";            // int: vgfio_io_mode
inline constexpr char kOptionWait[] = "wait";                 // int: vgfio_wait
inline constexpr char kOptionCopyMemory[] = "copy_memory";    // int: vgfio_copy_memory
inline constexpr char kOptionBindingSets[] = "binding_sets";  // int >= 1: combinations kept ready
inline constexpr char kOptionDevice[] = "device";             // string: part of a name, or an index
inline constexpr char kOptionRequireZeroCopy[] = "require_zero_copy";  // bool

inline constexpr char kZeroCopyEnvironment[] = "ET_VGF_ZERO_COPY";

}  // namespace vgfio
