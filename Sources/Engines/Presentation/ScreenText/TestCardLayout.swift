// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

/// The places of the texts and of what moves on a test card.
struct TestCardLayout {
    private let pattern: TestPattern
    /// Where the block moves, on the stage; at least a pixel.
    let motion: PixelRectangle
    /// Height of a line of text, pixels.
    private let line: Int

    init(_ pattern: TestPattern) {
        self.pattern = pattern
        line = max(2, min(pattern.texts.size.height / 8, pattern.texts.size.width / 24))
        var motion = pattern.motion
        motion.size = PixelSize(width: max(1, motion.size.width), height: max(1, motion.size.height))
        self.motion = motion
    }

    /// On the stage.
    func texts(of card: ScreenTestCard) -> [Drawing] {
        let room = pattern.texts
        let middle = room.x + room.size.width / 2
        let title = Text(
            card.title, x: middle, y: room.y, anchor: .top, overflow: .cut(room.size.width),
            style: TextStyle(height: line * 2, isBold: true))
        let lines = card.lines.enumerated().map { index, string in
            Text(
                string, x: middle, y: room.y + line * 9 / 4 + index * line * 5 / 4, anchor: .top,
                overflow: .cut(room.size.width), style: TextStyle(height: line))
        }
        return ([title] + lines).map { .text($0) } + frameTexts
    }

    /// How much of the picture lies beyond each frame.
    private var frameTexts: [Drawing] {
        let height = max(2, pattern.size.height / 60)
        return TestPattern.frames.map { distance in
            let percent = distance % 10 == 0 ? "\(distance / 10)" : "\(distance / 10).\(distance % 10)"
            return .text(
                Text(
                    "\(percent) %", x: pattern.size.width / 5, y: pattern.size.height * distance / 1_000 + 2,
                    style: TextStyle(height: height)))
        }
    }

    // MARK: What moves, in coordinates of its area

    /// The block takes its place in the left two thirds.
    func block(of motion: TestCardMotion) -> PixelRectangle {
        let room = self.motion.size.width * 2 / 3
        let (from, to) = (
            room * motion.place / TestCardMotion.places, room * (motion.place + 1) / TestCardMotion.places
        )
        let margin = self.motion.size.height / 8
        return PixelRectangle(
            x: from, y: margin,
            size: PixelSize(width: to - from, height: max(1, self.motion.size.height - 2 * margin)))
    }

    /// The time that is left.
    func texts(of motion: TestCardMotion) -> [Drawing] {
        let size = self.motion.size
        return [
            .text(
                Text(
                    motion.text, x: size.width, y: 0, anchor: .topRight, overflow: .cut(size.width / 3),
                    style: TextStyle(.mono, height: max(2, size.height * 7 / 8))))
        ]
    }
}
