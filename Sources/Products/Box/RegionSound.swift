// SPDX-License-Identifier: Apache-2.0

/// How a session is heard among the others, before all are mixed.
struct RegionSound: Hashable, Sendable {
    /// 0...100: see `Mixer.setVolume`.
    var level = 100
    var isMuted = false
}
