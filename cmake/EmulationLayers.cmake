# Writes layer manifests with absolute library paths beside the programs, so
# that they find the emulation layers without any environment variable.
# VGFIO_EMULATION_LAYERS names the folder with libVkLayer_Graph.so.
find_path(VGFIO_EMULATION_LAYERS libVkLayer_Graph.so
  PATHS ${VGFIO_SITE_PACKAGES}/emulation_layer/deploy/lib
  NO_DEFAULT_PATH
)
if(NOT VGFIO_EMULATION_LAYERS)
  message(STATUS "Emulation layers not found: only devices with native VK_ARM_* can run")
  return()
endif()

set(VGFIO_LAYER_MANIFESTS ${VGFIO_EMULATION_LAYERS}/../share/vulkan/explicit_layer.d)
foreach(layer Graph Tensor)
  file(READ ${VGFIO_LAYER_MANIFESTS}/VkLayer_${layer}.json manifest)
  string(JSON manifest SET "${manifest}" layer library_path
    "\"${VGFIO_EMULATION_LAYERS}/libVkLayer_${layer}.so\"")
  file(WRITE ${CMAKE_BINARY_DIR}/bin/layers/VkLayer_${layer}.json "${manifest}\n")
endforeach()
