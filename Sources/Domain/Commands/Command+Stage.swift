// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// What is where on the stage, and what of it is heard.
    static let stage: [Command] = [
        Command(
            "audio-region", "Hear one region of the stage", help: "The others are muted.",
            arguments: [CommandParameter("region", .text(1...32), "The one that is heard.")],
            role: .operator, answer: sound)
    ]
}
