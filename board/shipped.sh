# SPDX-License-Identifier: Apache-2.0
# Sourced by what builds the programs of an image: the options of the compiler and of the linker.

# Swift's library exports its names for other modules of the same process, and a static program has none: 2 MiB. Functions
# that nobody calls are left out when each has a section of its own: 1.5 MiB. Addresses that are known when the program is
# loaded take a bit each instead of 24 octets: 1.3 MiB, which only LLVM's linker does for each of our compilers.
# Without -enforce-exclusivity Swift 6.0.3 ends some values twice that cannot be copied, such as sockets: it has to stay.
shipped=(
    -c release --static-swift-stdlib -Xlinker --no-export-dynamic -Xswiftc -Xfrontend -Xswiftc -function-sections
    -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
)
