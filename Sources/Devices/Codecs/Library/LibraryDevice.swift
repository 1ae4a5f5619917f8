// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Glibc

/// One of libavcodec's ways to decode a stream by a device whose pictures other devices can show, because they are DRM
/// PRIME or can be mapped to it.
struct LibraryWay {
    let decoder: UnsafePointer<AVCodec>
    let device: AVHWDeviceType
    /// Pixel format in which the decoder gives its pictures.
    let pictures: AVPixelFormat

    /// The ways in this build of libavcodec, those with DRM PRIME first.
    static func all(for coding: VideoCoding) -> [LibraryWay] {
        guard let id = coding.libraryID else { return [] }
        var found: [LibraryWay] = []
        var cursor: UnsafeMutableRawPointer?
        while let decoder = av_codec_iterate(&cursor) {
            guard decoder.pointee.id == id, av_codec_is_decoder(decoder) != 0 else { continue }
            var index: Int32 = 0
            while let config = avcodec_get_hw_config(decoder, index)?.pointee {
                index += 1
                guard config.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0,
                    config.pix_fmt == AV_PIX_FMT_DRM_PRIME || config.pix_fmt == AV_PIX_FMT_VAAPI
                else { continue }
                found.append(LibraryWay(decoder: decoder, device: config.device_type, pictures: config.pix_fmt))
            }
        }
        return found.filter { $0.pictures == AV_PIX_FMT_DRM_PRIME }
            + found.filter { $0.pictures != AV_PIX_FMT_DRM_PRIME }
    }

    /// Name of the device type, such as `vaapi`.
    var name: String { av_hwdevice_get_type_name(device).map { String(cString: $0) } ?? "unknown" }
}

/// A device opened by libavutil.
struct LibraryDevice: ~Copyable {
    let reference: UnsafeMutablePointer<AVBufferRef>

    /// - Parameter path: such as `/dev/dri/renderD128`.
    /// - Returns: nil if no driver offers this type for the device.
    init?(_ type: AVHWDeviceType, at path: String) {
        CodecContext.silenceLog
        var made: UnsafeMutablePointer<AVBufferRef>?
        guard av_hwdevice_ctx_create(&made, type, path, nil, 0) >= 0, let made else { return nil }
        reference = made
    }

    deinit {
        var gone: UnsafeMutablePointer<AVBufferRef>? = reference
        av_buffer_unref(&gone)
    }
}

extension DecoderDevice {
    /// Paths of the render nodes present, in the order of their numbers, which are 128 to 191.
    static func renderNodes(in folder: String = "/dev/dri") -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(folder + "/renderD[0-9][0-9][0-9]", 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv?[$0].map { String(cString: $0) } }
    }

    /// - Returns: nil if libavcodec finds no driver for the device, or decodes none of our codings with it.
    init?(library path: String) {
        guard access(path, R_OK | W_OK) == 0 else { return nil }
        let ways = VideoCoding.allCases.map { coding in (coding, LibraryWay.all(for: coding)) }
        var asked: [AVHWDeviceType] = []
        for way in ways.flatMap(\.1) where !asked.contains(way.device) {
            asked.append(way.device)
            guard LibraryDevice(way.device, at: path) != nil else { continue }
            let codings = ways.filter { $0.1.contains { $0.device == way.device } }.map(\.0)
            // Which profiles and sizes the driver takes is only known after trying.
            self.init(
                path: path, driver: way.name, kind: .library, streams: codings.map { Stream($0, $0.stateful) })
            return
        }
        return nil
    }
}
