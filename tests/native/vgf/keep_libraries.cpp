#include "keep_libraries.h"

#include <dlfcn.h>
#include <link.h>

namespace vgfio::testing {

void keep_libraries_loaded() {
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void*) {
        dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        return 0;
      },
      nullptr);
}

}  // namespace vgfio::testing
