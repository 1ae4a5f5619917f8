// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A stage on the screens of a card: on one screen (`ScreenDriver`), or the same on all of them (`MirroredScreens`).
/// - Thread: the render thread only.
protocol CardOutput: AnyObject, StageOutput {
    /// The mode of the screen by which presenting is timed; nil while it shows nothing.
    var mode: KMSMode? { get }
    /// The mode that it shows or is about to show.
    var expectedMode: KMSMode? { get }

    /// Handles the result of reading a card's connectors.
    func take(_ news: CardWatch.News)
}

extension CardOutput {
    var refresh: Nanoseconds? { mode?.refresh.period }
    var wantsPictures: Bool { true }
}
