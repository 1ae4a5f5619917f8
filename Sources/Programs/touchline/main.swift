// SPDX-License-Identifier: Apache-2.0
import Control
import Glibc

exit(Client(streams: .standard()).run(Array(CommandLine.arguments.dropFirst())))
