/* Preloaded, it makes the Vulkan loader a library that is not installed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

void* dlopen(const char* name, int flags) {
  void* (*next)(const char*, int) = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
  if (name != NULL && strncmp(name, "libvulkan.so", 12) == 0) name = "libnot-installed.so.1";
  return next(name, flags);
}
