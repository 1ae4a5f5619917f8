// SPDX-License-Identifier: Apache-2.0

/// A picture over the whole stage by which somebody in front of the screen judges it: `TestPattern`, what the box says of
/// itself, and what moves once a second.
public struct ScreenTestCard: Hashable, Sendable {
    /// The name of the box, in large letters.
    public var title: String
    /// The lines below the name.
    public var lines: [String]

    public init(title: String, lines: [String]) {
        self.title = title
        self.lines = lines
    }
}

/// What moves on a test card: whoever sees that it stands still sees an output that is frozen.
public struct TestCardMotion: Hashable, Sendable {
    /// Until the card goes away by itself; at least 1.
    let secondsLeft: Int64

    /// Places of the block, from the left.
    static let places = 10

    /// Where the block is, 0..<`places`; it goes to the right.
    var place: Int { Self.places - 1 - Int(secondsLeft % Int64(Self.places)) }

    var text: String {
        let seconds = secondsLeft % 60
        return "\(secondsLeft / 60):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}
