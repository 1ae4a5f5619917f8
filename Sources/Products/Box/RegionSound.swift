// SPDX-License-Identifier: Apache-2.0

/// Volume and muting of a session in the mix.
struct RegionSound: Hashable, Sendable {
    /// Volume, 0...100; see `Mixer.setVolume`.
    var level = 100
    var isMuted = false
}
