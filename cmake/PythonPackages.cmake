# Lets find_package() see the CMake packages that Python wheels carry: those of
# the interpreter that is active, or of the one in Python3_EXECUTABLE.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -c "import sysconfig; print(sysconfig.get_path('purelib'))"
  OUTPUT_VARIABLE VGFIO_SITE_PACKAGES
  OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY
)
list(APPEND CMAKE_PREFIX_PATH
  ${VGFIO_SITE_PACKAGES}/executorch/share/cmake
  ${VGFIO_SITE_PACKAGES}/vgf_lib/binaries
)
