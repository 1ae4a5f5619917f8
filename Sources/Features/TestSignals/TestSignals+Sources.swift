// SPDX-License-Identifier: Apache-2.0
import Display
import Mixing
import Scene

extension TestSignals {
    /// Stage and mixer as the feature uses them. The product provides this value.
    public struct Sources {
        /// Size of the stage in pixels.
        public var size: () -> PixelSize
        /// The screen that shows the stage; nil if the output has none.
        public var screen: () -> ScreenStatus?
        /// The measured rate of the screen, millionths of a hertz; 0 if it is not known.
        public var refresh: () -> Int64
        /// Adds a tone to the mix; nil ends it.
        public var setTone: (TestTone?) -> Void
        public var sound: () -> MixerCounters
        /// Why there is no output of sound; nil if there is one.
        public var soundProblem: () -> String?

        public init(
            size: @escaping () -> PixelSize, screen: @escaping () -> ScreenStatus?, refresh: @escaping () -> Int64,
            setTone: @escaping (TestTone?) -> Void, sound: @escaping () -> MixerCounters,
            soundProblem: @escaping () -> String?
        ) {
            self.size = size
            self.screen = screen
            self.refresh = refresh
            self.setTone = setTone
            self.sound = sound
            self.soundProblem = soundProblem
        }
    }
}
