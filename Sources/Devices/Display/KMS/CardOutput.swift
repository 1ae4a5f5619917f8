// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A stage on the screens of a card: on one (`ScreenDriver`), or the same on all of them (`MirroredScreens`).
/// - Thread: the render thread's alone.
protocol CardOutput: AnyObject, StageOutput {
    /// The mode of the screen that presenting goes by; nil while it shows nothing.
    var mode: KMSMode? { get }
    /// The mode that it shows or is about to show.
    var expectedMode: KMSMode? { get }

    /// A card's connectors were read, or could not be.
    func take(_ news: CardWatch.News)
}

extension CardOutput {
    var refresh: Nanoseconds? { mode?.refresh.period }
    var wantsPictures: Bool { true }
}
