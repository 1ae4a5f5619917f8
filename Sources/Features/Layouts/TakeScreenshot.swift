// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct TakeScreenshot: DeferredCommand {
    static let about = About(
        "screenshot", "Take a picture of what is on the screen", form: .image, example: "",
        clientOptions: [.clientOption("output", .formatted(.file), "PNG file; absent or -: standard output.")])
    static let shape = Shape<Self>()

    func run(on layouts: Layouts, _ reply: Reply<ScreenshotFile>) { layouts.takeScreenshot(reply) }
}

/// A picture of the screen as a PNG file.
public struct ScreenshotFile: Answer {
    /// Base64.
    let png: String
    let width: Int
    let height: Int

    /// - Parameters:
    ///   - png: the file in Base64.
    ///   - width: pixels.
    ///   - height: pixels.
    public init(png: String, width: Int, height: Int) {
        self.png = png
        self.width = width
        self.height = height
    }

    public static let shape = Shape<Self>([
        .value("png", \.png, .formatted(.base64), "base64 with --json"),
        .value("width", \.width, .integer(1...Int.max), "pixels"),
        .value("height", \.height, .integer(1...Int.max), "pixels"),
    ])
}

extension TextFormat {
    fileprivate static let base64 = TextFormat(
        "base64", schema: ["contentEncoding": "base64", "contentMediaType": "image/png"]
    ) { _ in true }
}
