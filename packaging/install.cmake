# What `make install` and the packages put on a machine: the program and the shared library (component runtime), and what a
# C program needs to be built with it (component dev).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(LITHE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/lithe)

# Notes which folders the installation is about to make, for packaging/uninstall.cmake; must be the first rule.
set(LITHE_FOLDERS ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${LITHE_CMAKE_DIR}
                  ${CMAKE_INSTALL_INCLUDEDIR}/lithe ${CMAKE_INSTALL_MANDIR}/man1 ${CMAKE_INSTALL_DOCDIR}
                  ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(CODE "set(folders \"${LITHE_FOLDERS}\")\nset(list \"${CMAKE_BINARY_DIR}/install_folders.txt\")" COMPONENT runtime)
install(SCRIPT packaging/folders.cmake COMPONENT runtime)

install(TARGETS program RUNTIME COMPONENT runtime)
install(TARGETS lithe EXPORT lithe
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES packaging/lithe.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
install(FILES packaging/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME lithe
        COMPONENT runtime)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT runtime)

install(DIRECTORY include/lithe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN "*.h")

# Paths in the pkg-config file start from where the file itself is, so that any PREFIX will do.
file(RELATIVE_PATH LITHE_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(packaging/lithe.pc.in lithe.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/lithe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

write_basic_package_version_file(${CMAKE_BINARY_DIR}/lithe-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT lithe FILE lithe-config.cmake NAMESPACE lithe:: DESTINATION ${LITHE_CMAKE_DIR} COMPONENT dev)
install(FILES ${CMAKE_BINARY_DIR}/lithe-config-version.cmake DESTINATION ${LITHE_CMAKE_DIR} COMPONENT dev)

# Debian packages: lithe, and lithe-dev for building programs.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lithe)
set(CPACK_PACKAGE_VENDOR Lithe)
set(CPACK_PACKAGE_CONTACT "The Lithe authors <lithe@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "real-time finite elements for soft robots")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME lithe)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "gmsh, paraview")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Models, moves and controls soft robots that are described in one text file: mesh,
material, cables, pistons and cavities. Holds the program lithe and its shared library.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME lithe-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "lithe (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEV_DESCRIPTION "What C programs are built with: the header, the pkg-config file and the CMake package
of the library of lithe.")
include(CPack)
