# cmake -DBUILD=build -P packaging/uninstall.cmake
#
# Removes what the last `make install` from that build folder installed, and the folders that it made and that are empty now.
# DESTDIR must be what it was then.
set(manifest "${BUILD}/install_manifest.txt")
set(list "${BUILD}/install_folders.txt")
if(NOT EXISTS "${manifest}")
    message(FATAL_ERROR "${manifest} is missing: nothing was installed from this build folder")
endif()

file(STRINGS "${manifest}" files)
foreach(name IN LISTS files)
    set(path "$ENV{DESTDIR}${name}")
    if(EXISTS "${path}" OR IS_SYMLINK "${path}")
        file(REMOVE "${path}")
        if(EXISTS "${path}" OR IS_SYMLINK "${path}")
            message(FATAL_ERROR "${path} could not be removed; try again with the rights it was installed with")
        endif()
    endif()
endforeach()

if(EXISTS "${list}")
    file(STRINGS "${list}" folders)
    list(REVERSE folders)
    foreach(path IN LISTS folders)
        file(GLOB rest LIST_DIRECTORIES true "${path}/*" "${path}/.*")
        if(IS_DIRECTORY "${path}" AND NOT rest)
            file(REMOVE_RECURSE "${path}")
        endif()
    endforeach()
endif()
file(REMOVE "${manifest}" "${list}")
