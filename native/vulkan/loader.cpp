#include "vulkan/loader.h"

#include <dlfcn.h>
#ifdef __SANITIZE_ADDRESS__
#include <link.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <sstream>

#include "vulkan/error.h"
#include "vulkan/snapshot.h"

namespace vgfio {
namespace {

constexpr char kLayerPathEnvironment[] = "ET_VGF_LAYER_PATH";
constexpr char kLoaderLibrary[] = "libvulkan.so.1";

// Folder of the program or shared library that this code is linked into.
std::filesystem::path own_folder() {
  Dl_info info{};
  std::error_code ignored;
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0) return {};
  return std::filesystem::canonical(info.dli_fname, ignored).parent_path();
}

void append_to_environment(const char* name, const std::string& value) {
  const char* old = std::getenv(name);
  const std::string joined = old != nullptr && *old != '\0' ? old + (":" + value) : value;
  setenv(name, joined.c_str(), 1);
}

// The loader may put layers named in VK_INSTANCE_LAYERS in an order of its own,
// and enables them for native devices too. This program enables both layers
// itself where they are needed, so their names come out of the variable.
void take_layers_out_of_environment() {
  const char* variable = "VK_INSTANCE_LAYERS";
  const char* value = std::getenv(variable);
  if (value == nullptr) return;
  std::string kept;
  std::stringstream names(value);
  for (std::string name; std::getline(names, name, ':');) {
    const auto& layers = emulation_layer_names();
    if (std::find(layers.begin(), layers.end(), name) == layers.end()) {
      kept += (kept.empty() ? "" : ":") + name;
    }
  }
  kept.empty() ? unsetenv(variable) : setenv(variable, kept.c_str(), 1);
}

// With AddressSanitizer only: the loader unloads drivers and layers with their
// instance, and LeakSanitizer could not tell any more whose a leak is.
void keep_libraries_loaded() {
#ifdef __SANITIZE_ADDRESS__
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void*) {
        dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        return 0;
      },
      nullptr);
#endif
}

template <typename T>
T cast(PFN_vkVoidFunction function) {
  return reinterpret_cast<T>(function);
}

Status load_global(GlobalFunctions& table) {
  void* library = dlopen(kLoaderLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return Status::unsupported(std::string("no Vulkan loader (") +
                               (reason != nullptr ? reason : kLoaderLibrary) +
                               "); install one (Debian: libvulkan1)");
  }
  table.GetInstanceProcAddr =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  if (table.GetInstanceProcAddr == nullptr) {
    return Status::unsupported(std::string(kLoaderLibrary) + " has no vkGetInstanceProcAddr");
  }
#define VGFIO_LOAD(name) \
  table.name = cast<PFN_vk##name>(table.GetInstanceProcAddr(nullptr, "vk" #name));
  VGFIO_GLOBAL_FUNCTIONS(VGFIO_LOAD)
#undef VGFIO_LOAD
  if (table.CreateInstance == nullptr || table.EnumerateInstanceVersion == nullptr) {
    return Status::unsupported("the Vulkan loader is older than Vulkan 1.1; update it");
  }
  return Status();
}

Status check_layers_found(const Loader& loader) {
  VGFIO_ASSIGN_OR_RETURN(const std::vector<std::string> found, loader.layers());
  for (const char* layer : emulation_layer_names()) {
    if (std::find(found.begin(), found.end(), layer) == found.end()) {
      return Status::unsupported(
          std::string("no device has VK_ARM_tensors and VK_ARM_data_graph, and the layer ") +
          layer + " is not installed; install ai_ml_emulation_layer_for_vulkan and build again, " +
          "or set " + kLayerPathEnvironment + " to the folder with its manifests");
    }
  }
  return Status();
}

bool is_emulation_layer(const char* name) {
  const auto& names = emulation_layer_names();
  return std::any_of(names.begin(), names.end(),
                     [name](const char* known) { return std::strcmp(name, known) == 0; });
}

// Whether an instance was created with the emulation layers, by whatever way they were
// asked for: loaders list an instance's layers as those of its devices.
bool enables_emulation_layers(const std::vector<VkPhysicalDevice>& devices, VkInstance instance,
                              PFN_vkGetInstanceProcAddr load) {
  const auto list = cast<PFN_vkEnumerateDeviceLayerProperties>(
      load(instance, "vkEnumerateDeviceLayerProperties"));
  uint32_t count = 0;
  if (list == nullptr || devices.empty() || list(devices[0], &count, nullptr) != VK_SUCCESS) {
    return false;
  }
  std::vector<VkLayerProperties> layers(count);
  if (list(devices[0], &count, layers.data()) != VK_SUCCESS) return false;
  return std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
    return is_emulation_layer(layer.layerName);
  });
}

}  // namespace

const std::vector<const char*>& emulation_layer_names() {
  static const std::vector<const char*> names = {"VK_LAYER_ML_Graph_Emulation",
                                                 "VK_LAYER_ML_Tensor_Emulation"};
  return names;
}

std::string emulation_layer_folder() {
  const char* chosen = std::getenv(kLayerPathEnvironment);
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code ignored;
  const std::filesystem::path beside = own_folder() / "layers";
  return std::filesystem::is_directory(beside, ignored) ? beside.string() : std::string();
}

Result<const Loader*> Loader::open() {
  static std::mutex mutex;
  static std::unique_ptr<Loader> opened;
  const std::lock_guard lock(mutex);
  if (opened != nullptr) return static_cast<const Loader*>(opened.get());
  const std::string folder = emulation_layer_folder();
  if (!folder.empty()) append_to_environment("VK_ADD_LAYER_PATH", folder);
  take_layers_out_of_environment();
  auto loader = std::make_unique<Loader>();
  VGFIO_RETURN_IF_ERROR(load_global(loader->functions_));
  opened = std::move(loader);
  return static_cast<const Loader*>(opened.get());
}

Result<std::vector<std::string>> Loader::layers() const {
  uint32_t count = 0;
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(functions_, EnumerateInstanceLayerProperties, &count, nullptr));
  std::vector<VkLayerProperties> properties(count);
  VGFIO_RETURN_IF_ERROR(
      VGFIO_VK(functions_, EnumerateInstanceLayerProperties, &count, properties.data()));
  std::vector<std::string> names;
  for (uint32_t i = 0; i < count; ++i) names.emplace_back(properties[i].layerName);
  return names;
}

Result<std::shared_ptr<const Instance>> Instance::create(bool emulation_layers) {
  VGFIO_ASSIGN_OR_RETURN(const Loader* loader, Loader::open());
  if (emulation_layers) VGFIO_RETURN_IF_ERROR(check_layers_found(*loader));

  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "vgf_io_bench";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  if (emulation_layers) {
    info.enabledLayerCount = static_cast<uint32_t>(emulation_layer_names().size());
    info.ppEnabledLayerNames = emulation_layer_names().data();
  }
  std::shared_ptr<Instance> instance(new Instance);
  VGFIO_RETURN_IF_ERROR(
      VGFIO_VK(loader->functions(), CreateInstance, &info, nullptr, &instance->instance_));
  VGFIO_RETURN_IF_ERROR(instance->load_functions(loader->functions().GetInstanceProcAddr));
  instance->emulation_layers_ = emulation_layers;
  VGFIO_RETURN_IF_ERROR(instance->list_devices());
  return std::shared_ptr<const Instance>(std::move(instance));
}

Result<std::shared_ptr<const Instance>> Instance::adopt(VkInstance handle,
                                                        PFN_vkGetInstanceProcAddr load) {
  std::shared_ptr<Instance> instance(new Instance);
  instance->instance_ = handle;
  const Status loaded = instance->load_functions(load);
  instance->functions_.DestroyInstance = nullptr;  // its owner's business
  VGFIO_RETURN_IF_ERROR(loaded);
  VGFIO_RETURN_IF_ERROR(instance->list_devices());
  instance->emulation_layers_ = enables_emulation_layers(instance->physical_devices_, handle, load);
  return std::shared_ptr<const Instance>(std::move(instance));
}

Status Instance::load_functions(PFN_vkGetInstanceProcAddr load) {
#define VGFIO_LOAD(name)                                               \
  functions_.name = cast<PFN_vk##name>(load(instance_, "vk" #name));   \
  if (functions_.name == nullptr) return Status::unsupported("the Vulkan loader lacks vk" #name);
  VGFIO_INSTANCE_FUNCTIONS(VGFIO_LOAD)
#undef VGFIO_LOAD
  return Status();
}

Status Instance::list_devices() {
  uint32_t count = 0;
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(functions_, EnumeratePhysicalDevices, instance_, &count, nullptr));
  physical_devices_.resize(count);
  if (count == 0) return Status();
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(functions_, EnumeratePhysicalDevices, instance_, &count,
                                 physical_devices_.data()));
  for (VkPhysicalDevice device : physical_devices_) {
    VGFIO_ASSIGN_OR_RETURN(DeviceSnapshot snapshot, snapshot_device(functions_, device));
    devices_.push_back(std::move(snapshot));
  }
  return Status();
}

Instance::~Instance() {
  if (instance_ != VK_NULL_HANDLE && functions_.DestroyInstance != nullptr) {
    keep_libraries_loaded();
    functions_.DestroyInstance(instance_, nullptr);
  }
}

}  // namespace vgfio
