# Cross-compiles for 64-bit Arm on Debian: apt-get install g++-aarch64-linux-gnu qemu-user. The arm64
# packages of the libraries (scripts/lib/common.sh) are unpacked below a folder (apt-get download NAME:arm64,
# dpkg -x), so that nothing is installed:
#   cmake -S . -B build-arm -G Ninja --toolchain cmake/aarch64.cmake -DPRESORT_ARM_ROOT=FOLDER
# Tests run under qemu-aarch64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PRESORT_ARM_ROOT)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${PRESORT_ARM_ROOT} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# Header-only libraries are taken from this machine, as they have no Arm code.
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
set(CMAKE_IGNORE_PATH /usr/lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu/cmake)
