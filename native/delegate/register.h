// Entry into the delegate for programs: everything else goes through
// ExecuTorch's registry.
#pragma once

namespace vgfio {

// Registers VgfBackend with ExecuTorch; later calls do nothing. False if the
// registry is full or holds another backend of that name.
bool register_vgf_backend();

// Import alignment in bytes that the device asks for (0: no import), opening it
// if need be with the rule that a method would use; `device` as in kOptionDevice.
// Must not be called before the request was found valid: it touches Vulkan.
// On failure the reason is in take_delegate_error() and the result is 0.
unsigned long vgf_import_alignment(const char* device);

// Closes the device that methods share. Call before main() ends, after the last
// method is gone: the layer libraries do not survive static destruction.
void shutdown_vgf_backend();

// JSON array for vgfio_probe_devices(): what this machine offers and lacks.
// Returned by value as text so that callers need no Vulkan type.
const char* probe_vgf_devices();

}  // namespace vgfio
