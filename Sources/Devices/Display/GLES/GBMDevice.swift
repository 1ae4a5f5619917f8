// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// Allocates memory of a card into which its GPU draws and which its planes show.
final class GBMDevice {
    let calls: touchline_gbm
    let card: AtomicCard
    let handle: OpaquePointer

    /// - Throws: `missing` if libgbm is not installed or has no driver for the card.
    init(of card: AtomicCard) throws(DisplayError) {
        var calls = touchline_gbm()
        if let name = touchline_gbm_load(&calls) { throw .missing(String(cString: name)) }
        // Handles belong to one open file. Framebuffers are made with the same file, so GBM uses it too.
        guard let made = calls.gbm_create_device(card.descriptor) else {
            throw .missing("a GBM driver of \(card.name)")
        }
        self.calls = calls
        self.card = card
        handle = made
    }

    deinit { calls.gbm_device_destroy(handle) }
}
