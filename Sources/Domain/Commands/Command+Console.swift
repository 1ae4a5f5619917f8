// SPDX-License-Identifier: Apache-2.0

extension Command {
    static let console = Command(
        "console", "Take commands line by line",
        help: """
            Each line is a command of this program, without its name; quotes stand round what has blanks. At a terminal it
            asks for the next one, and Ctrl-C ends the command that runs, not the console; exit, or the end of the input,
            does. It ends with the exit code of the last command. Lines reach no shell.
            """,
        isLocal: true)
}
