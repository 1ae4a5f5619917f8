// SPDX-License-Identifier: Apache-2.0
import Glibc
import Replay

let replay = Replay(arguments: Array(CommandLine.arguments.dropFirst()))
print(replay.text, terminator: "")
exit(replay.code)
