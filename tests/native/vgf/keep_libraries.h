// For the end of a test program that opened Vulkan.
#pragma once

namespace vgfio::testing {

// Keeps the drivers and layers that are loaded now from being unloaded, so that
// LeakSanitizer knows at the end of the process whose memory it finds. Call
// before the last device is closed.
void keep_libraries_loaded();

}  // namespace vgfio::testing
