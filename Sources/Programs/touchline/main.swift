// SPDX-License-Identifier: Apache-2.0
import CommandLineClient
import ControlClient
import Glibc

exit(CommandLineClient.run(Array(CommandLine.arguments.dropFirst()), streams: .standard()))
