# cmake --install: command, library, plugin, headers, manual, CMake package, pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(installed_rpath "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${LLVM_LIBDIR}")
set(destinations RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(product cofactor cofactor-pass cofactor-command)
    if(TARGET ${product})
        set_target_properties(${product} PROPERTIES INSTALL_RPATH "${installed_rpath}")
        install(TARGETS ${product} ${destinations})
    endif()
endforeach()
install(DIRECTORY include/cofactor DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY context/ DESTINATION ${CMAKE_INSTALL_DATADIR}/cofactor/context)
foreach(page ${MANUAL})
    string(REGEX MATCH "[0-9]$" section ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Cofactor)
configure_package_config_file(cmake/CofactorConfig.cmake.in CofactorConfig.cmake INSTALL_DESTINATION ${package_dir}
    PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(CofactorConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/CofactorConfig.cmake ${PROJECT_BINARY_DIR}/CofactorConfigVersion.cmake
    DESTINATION ${package_dir})

# The prefix is where the file lies: an installed tree may be moved, and cmake --install --prefix knows it late.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
configure_file(cmake/cofactor.pc.in cofactor.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cofactor.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
