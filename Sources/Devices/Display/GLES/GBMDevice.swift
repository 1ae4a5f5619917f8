// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims

/// A card as a source of memory that its GPU draws into and its planes show.
final class GBMDevice {
    let calls: touchline_gbm
    let card: AtomicCard
    let handle: OpaquePointer

    /// - Throws: `missing` on a box without libgbm, or one whose card it has no driver for.
    init(of card: AtomicCard) throws(DisplayError) {
        var calls = touchline_gbm()
        if let name = touchline_gbm_load(&calls) { throw .missing(String(cString: name)) }
        // Memory is the card's by its numbers of the same open file.
        guard let made = calls.gbm_create_device(card.descriptor) else {
            throw .missing("a GBM driver of \(card.name)")
        }
        self.calls = calls
        self.card = card
        handle = made
    }

    deinit { calls.gbm_device_destroy(handle) }
}
