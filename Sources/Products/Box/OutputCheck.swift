// SPDX-License-Identifier: Apache-2.0
import Display
import Settings
import System

/// What can be known about an output without opening it, so that a change that cannot succeed interrupts nothing.
struct OutputCheck {
    /// Pictures of the stage's size that may be in memory at once: two canvases, two sides of a cross-fade, texts and
    /// a screenshot.
    private static let pictures = 6

    /// The kernel's names of the connectors of all cards.
    var connectors: () -> [String] = { CardConnectors.names() }
    /// Octets; nil if the kernel does not say.
    var availableMemory: () -> Int? = { AvailableMemory.octets() }

    /// Why the output cannot be opened; nil if nothing is known against it.
    func problem(of new: Settings.Output) -> String? {
        if let problem = problem(ofMemory: new) { return problem }
        guard new.kind == .kms else { return nil }
        let names = connectors()
        guard !names.isEmpty else { return "kind is kms and there is no graphics card: expected one" }
        guard let connector = new.connector, !names.contains(connector) else { return nil }
        return "connector '\(connector)' is not there: expected one of \(names.joined(separator: ", "))"
    }

    private func problem(ofMemory output: Settings.Output) -> String? {
        let needed = output.screen.width * output.screen.height * 4 * Self.pictures
        guard let available = availableMemory(), needed > available else { return nil }
        return "a stage of \(output.screen) needs \(needed >> 20) MiB: expected at most the "
            + "\(available >> 20) MiB that are available"
    }
}
