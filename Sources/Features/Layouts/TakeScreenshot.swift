// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct TakeScreenshot: DeferredCommand {
    /// nil for PNG.
    var form: ScreenshotStyle.Form?
    /// nil for `ScreenshotStyle.usualColumns`.
    var columns: Int?
    /// nil for that of the stage.
    var width: Int?

    static let about = About(
        "screenshot", "Take a picture of what is on the screen",
        help: """
            A PNG file for --output or a pipe, and half blocks in 256 colours at a terminal, where TERM=dumb or NO_COLOR \
            make it plain ASCII. With --width 320 the file is a small one, for a list of boxes. \
            Half blocks of 78 columns are at most 30 kB, which is 2.6 s of a serial line of 115,200 \
            baud, and ASCII is 1.8 kB; sixel graphics, for terminals that have them, are 8 pixels a column, or fewer \
            where that takes more than 230 kB, 20 s; mostly they are 10 to 100 kB. Ctrl-C ends them at a console. With --as png the file itself is sent through the \
            terminal, by ZMODEM.
            """, form: .image, example: "",
        clientOptions: [.clientOption("output", .formatted(.file), "The file; absent or -: standard output.")])
    static let shape = Shape<Self>([
        .option("as", \.form, .absentOr(.choice), "Absent: blocks at a terminal, else png."),
        .option(
            "columns", \.columns, .absentOr(.integer(ScreenshotStyle.columnsAllowed)),
            "Width of blocks, ascii and sixel; absent: 78. A PNG ignores it."),
        .option(
            "width", \.width, .absentOr(.integer(ScreenshotStyle.widthsAllowed)),
            "Most pixels in a row of a PNG, which keeps its shape and is not enlarged; absent: those of the stage."),
    ])

    func run(on layouts: Layouts, _ reply: Reply<ScreenshotFile>) {
        let style = ScreenshotStyle(form ?? .png, columns: columns ?? ScreenshotStyle.usualColumns, width: width)
        layouts.takeScreenshot(style, reply)
    }
}

/// In which form a screenshot is wanted.
public struct ScreenshotStyle: Hashable, Sendable {
    public enum Form: String, Sendable, CaseIterable { case png, blocks, ascii, sixel }

    public static let columnsAllowed = 20...200
    static let usualColumns = 78
    /// The last is that of the widest mode of a screen.
    public static let widthsAllowed = 16...16_384

    public let form: Form
    /// Columns of the terminal that shows the text. A PNG ignores them.
    public let columns: Int
    /// The greatest width of a PNG in pixels; nil if it is as wide as the stage. Text ignores it.
    public let width: Int?

    public init(_ form: Form, columns: Int, width: Int? = nil) {
        self.form = form
        self.columns = columns
        self.width = width
    }

    public static let png = ScreenshotStyle(.png, columns: usualColumns)
}

/// A picture of the screen, as a PNG file or as text for a terminal.
public struct ScreenshotFile: Answer {
    /// Base64; nil if it is text.
    let png: String?
    let text: String?
    let width: Int
    let height: Int

    /// - Parameters:
    ///   - png: the file in Base64.
    ///   - width: pixels of the file.
    ///   - height: likewise.
    public init(png: String, width: Int, height: Int) {
        (self.png, text) = (png, nil)
        self.width = width
        self.height = height
    }

    /// - Parameters:
    ///   - text: for a terminal.
    ///   - width: pixels of the screen.
    ///   - height: likewise.
    public init(text: String, width: Int, height: Int) {
        (png, self.text) = (nil, text)
        self.width = width
        self.height = height
    }

    public static let shape = Shape<Self>([
        .unlessNil("png", \.png, .formatted(.base64), "base64 with --json; absent: text"),
        .unlessNil("text", \.text, .text, "for a terminal: blocks, ascii or sixel"),
        .value("width", \.width, .integer(1...Int.max), "pixels of the PNG; with text, of the screen"),
        .value("height", \.height, .integer(1...Int.max), "pixels of the PNG; with text, of the screen"),
    ])
}

extension TextFormat {
    fileprivate static let base64 = TextFormat(
        "base64", schema: ["contentEncoding": "base64", "contentMediaType": "image/png"]
    ) { _ in true }
}
