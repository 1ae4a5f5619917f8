// SPDX-License-Identifier: Apache-2.0
internal import CLibASS
import Glibc
import Scene

/// Owns libass's objects. Styles are kept for ever; the drawings of one call become events at one instant.
struct ScriptTrack: ~Copyable {
    /// Width and height of libass's frame: larger than any canvas and never changed, because a change empties all
    /// caches. What lies outside a canvas is cut off when it is blended.
    static let frame = 16_384

    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private let track: UnsafeMutablePointer<ASS_Track>
    private var styles: [TextStyle: Int32]

    init() throws(TypesettingError) {
        guard let library = ass_library_init() else { throw .outOfMemory }
        tl_ass_silence(library)
        guard let renderer = ass_renderer_init(library) else {
            ass_library_done(library)
            throw .outOfMemory
        }
        guard let track = ass_new_track(library) else {
            ass_renderer_done(renderer)
            ass_library_done(library)
            throw .outOfMemory
        }
        let fontconfig = Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue)
        ass_set_fonts(renderer, nil, TextStyle.Family.sans.rawValue, fontconfig, nil, 1)
        ass_set_cache_limits(renderer, 2_000, 16)
        ass_set_frame_size(renderer, Int32(Self.frame), Int32(Self.frame))
        ass_set_storage_size(renderer, Int32(Self.frame), Int32(Self.frame))
        track.pointee.PlayResX = Int32(Self.frame)
        track.pointee.PlayResY = Int32(Self.frame)
        track.pointee.ScaledBorderAndShadow = 1
        self.library = library
        self.renderer = renderer
        self.track = track
        styles = [:]  // assigned here, not at the declaration: Swift 6.0.3 would crash
    }

    deinit {
        ass_free_track(track)
        ass_renderer_done(renderer)
        ass_library_done(library)
    }

    /// - Returns: a linked list of bitmaps, valid until the next call; nil if nothing is to be drawn.
    mutating func render(_ drawings: [Drawing]) throws(TypesettingError) -> UnsafeMutablePointer<ASS_Image>? {
        ass_flush_events(track)
        for (order, drawing) in drawings.enumerated() { try add(drawing, order: order) }
        return ass_render_frame(renderer, track, 0, nil)
    }

    private mutating func add(_ drawing: Drawing, order: Int) throws(TypesettingError) {
        let (style, script): (TextStyle, String) =
            switch drawing {
            case .text(let text): (text.style, text.script)
            case .shape(let shape): (Self.shapeStyle, shape.script)
            }
        let index = try index(of: style)
        let added = ass_alloc_event(track)
        guard added >= 0, let event = track.pointee.events.map({ $0 + Int(added) }) else { throw .outOfMemory }
        event.pointee.Duration = 1_000
        event.pointee.ReadOrder = Int32(truncatingIfNeeded: order)
        event.pointee.Layer = Int32(truncatingIfNeeded: order)
        event.pointee.Style = index
        event.pointee.Name = strdup("")
        event.pointee.Effect = strdup("")
        event.pointee.Text = strdup(script)
        guard event.pointee.Name != nil, event.pointee.Effect != nil, event.pointee.Text != nil else {
            throw .outOfMemory
        }
    }

    private static let shapeStyle = TextStyle(height: 20)

    private mutating func index(of style: TextStyle) throws(TypesettingError) -> Int32 {
        if let known = styles[style] { return known }
        let index = ass_alloc_style(track)
        guard index >= 0, let entry = track.pointee.styles.map({ $0 + Int(index) }) else { throw .outOfMemory }
        entry.pointee.Name = strdup("\(index)")
        entry.pointee.FontName = strdup(style.family.rawValue)
        entry.pointee.FontSize = Double(style.height)
        entry.pointee.PrimaryColour = style.colour.libraryCode
        entry.pointee.SecondaryColour = style.colour.libraryCode
        entry.pointee.OutlineColour = style.outlineColour.libraryCode
        entry.pointee.Bold = style.isBold ? 1 : 0
        entry.pointee.ScaleX = 1
        entry.pointee.ScaleY = 1
        entry.pointee.BorderStyle = 1
        entry.pointee.Outline = Double(style.outline)
        entry.pointee.Alignment = HALIGN_LEFT | VALIGN_TOP
        entry.pointee.Encoding = -1  // libass finds the text's direction instead of assuming left to right
        styles[style] = index
        return index
    }
}

extension RGBColour {
    /// Red, green, blue, transparency, from the most significant octet down.
    fileprivate var libraryCode: UInt32 { UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 }
}
