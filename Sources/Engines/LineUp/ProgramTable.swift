// SPDX-License-Identifier: Apache-2.0
import Venue

/// The programs of each channel whose transport stream was received, as it listed them last.
public struct ProgramTable: Sendable {
    private var entries: [Channel.ID: [ListedProgram]] = [:]

    public init() {}

    /// Empty when nothing is known. A single program without a name is not kept: nothing is to be chosen.
    public subscript(id: Channel.ID) -> [ListedProgram] { entries[id] ?? [] }

    /// - Returns: whether this changed what was known.
    public mutating func heard(_ programs: [ListedProgram], on id: Channel.ID) -> Bool {
        let before = self[id]
        let isChoice = programs.count > 1 || programs.contains { $0.name != nil }
        entries[id] = isChoice ? programs : nil
        return before != self[id]
    }

    /// To be called when the channel is removed from the line-up.
    public mutating func remove(_ id: Channel.ID) { entries[id] = nil }

    /// The channels that have a program of this name, by id.
    public func channels(with name: String) -> [Channel.ID] {
        let ids = entries.filter { $0.value.contains { $0.name == name } }.keys
        return ids.sorted { $0.text < $1.text }
    }
}
