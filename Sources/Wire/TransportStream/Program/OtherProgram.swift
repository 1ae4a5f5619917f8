// SPDX-License-Identifier: Apache-2.0

/// Which programs of a PAT are passed over where nobody has chosen one: those whose map does not come, and those without
/// media. A PAT may list more than its group carries, since some senders filter a transponder and leave its PAT as it is.
struct OtherProgram: Sendable {
    /// Why a program is passed over. What speaks less against it comes last.
    enum Reason: Int, Sendable { case noMap, noMedia, nothingComes }

    /// The programs that are passed over, by their numbers.
    private(set) var passedOver: [UInt16: Reason] = [:]

    /// How often the map of each program has come while that of the program followed did not.
    private var maps: [UInt16: Int] = [:]
    /// How often the map of the program followed has come while nothing came on its PIDs.
    private var emptyMaps = 0

    /// Number of times that another program's map comes before those that never came are taken as not there.
    static let proof = 3
    /// Number of times that a map comes before its program is taken as one on whose PIDs nothing comes.
    static let emptyProof = 5

    /// Another program is followed.
    mutating func programFollowed() {
        maps.removeAll(keepingCapacity: true)
        emptyMaps = 0
    }

    /// The PAT lists other programs.
    mutating func listChanged() {
        passedOver = [:]
        programFollowed()
    }

    /// A map begins of another program than the one followed, whose own has not come.
    /// - Returns: whether programs are passed over now: all of `listed` whose maps have not come.
    mutating func mapSeen(of other: UInt16, among listed: [UInt16]) -> Bool {
        maps[other, default: 0] += 1
        guard maps[other, default: 0] >= OtherProgram.proof else { return false }
        for number in listed where maps[number] == nil && passedOver[number] == nil { passedOver[number] = .noMap }
        return true
    }

    /// The map of the program followed came.
    /// - Returns: whether it is passed over now.
    mutating func mapCame(of number: UInt16, listsMedia: Bool, hasMedia: Bool) -> Bool {
        guard passedOver[number] == nil else { return false }
        emptyMaps = hasMedia ? 0 : emptyMaps + 1
        guard !listsMedia || emptyMaps >= OtherProgram.emptyProof else { return false }
        passedOver[number] = listsMedia ? .nothingComes : .noMedia
        return true
    }

    /// The first that is not passed over; else the first of those against which least speaks.
    func choice(among listed: [UInt16]) -> UInt16? {
        if let free = listed.first(where: { passedOver[$0] == nil }) { return free }
        let best = listed.compactMap { passedOver[$0]?.rawValue }.max()
        return listed.first { passedOver[$0]?.rawValue == best }
    }
}
