// SPDX-License-Identifier: Apache-2.0

/// From the decoder's memory to the screen.
///
/// libavcodec 5.1 to 7.1 has no FWHT, and its own memory-to-memory decoder cannot be measured on `vicodec`. What it does
/// with a picture is in its v4l2_buffers.c: the frame refers to the mapped buffer, and nothing says of which dma-buf that
/// is; so there is no plane for it but by a copy. It keeps no buffer for who waits, so that players copy the frame
/// (`av_frame_copy`; mpv's name for that decoder is `v4l2m2m-copy`) into memory of theirs and show that: the two paths
/// with "libavutil" do so with our decoder's pictures, into memory that is made once.
enum PicturePath: String, CaseIterable {
    case plane = "a plane reads it where it was decoded"
    case planeCopy = "copied into the card's memory, which a plane reads"
    case blit = "mapped, and converted by libswscale into the canvas (blit)"
    case libraryPlane = "copied by libavutil; then as the second"
    case libraryBlit = "copied by libavutil; then as the third"

    var isCopiedByLibrary: Bool { self == .libraryPlane || self == .libraryBlit }
    var hasPlane: Bool { self != .blit && self != .libraryBlit }
}
