// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// Event information as libdvbpsi, VLC's library, writes it: now and next in a stream of ffmpeg's.
struct EventInformation {
    struct Broadcast {
        var title: String
        var text = ""
        /// The title as it stands in the table, in whatever code, instead of `title`.
        var code: [UInt8] = []
        /// Seconds since 1970.
        var start: Int
        var seconds: Int
        /// 0: not said.
        var age = 0
    }

    var now: Broadcast?
    var next: Broadcast?

    static var isThere: Bool {
        get throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", "import ctypes; ctypes.CDLL('libdvbpsi.so.10')"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus == 0 { return true }
            print("SKIP: libdvbpsi is not installed")
            return ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] == "1"
        }
    }

    /// The stream with these tables, four times a second, where it had stuffing.
    func added(to video: CountedVideo, version: Int, in venue: TestVenue) async throws -> TransportStreamFile {
        let path = venue.directory.file("events-\(version).ts")
        let broadcasts = [now, next].map { broadcast -> JSONValue in
            guard let broadcast else { return .null }
            return [
                "title": .string(broadcast.title), "text": .string(broadcast.text),
                "code": .array(broadcast.code.map { .integer(Int64($0)) }),
                "start": .integer(Int64(broadcast.start)), "seconds": .integer(Int64(broadcast.seconds)),
                "age": .integer(Int64(broadcast.age)),
            ]
        }
        try await venue.succeed([
            "python3", "-c", Self.program, video.path, path, "\(version)", JSONValue.array(broadcasts).text(),
        ])
        return try TransportStreamFile(CountedVideo(path: path, frameCount: video.frameCount))
    }

    /// libdvbpsi makes one section of a table; which one of the two it is, is set before it puts the section together.
    private static let program = #"""
        import ctypes as c, json, sys
        lib = c.CDLL("libdvbpsi.so.10")
        class Section(c.Structure): pass
        Section._fields_ = [
            ("table_id", c.c_uint8), ("syntax", c.c_bool), ("private", c.c_bool), ("length", c.c_uint16),
            ("extension", c.c_uint16), ("version", c.c_uint8), ("current", c.c_bool), ("number", c.c_uint8),
            ("last", c.c_uint8), ("data", c.c_void_p), ("start", c.c_void_p), ("end", c.c_void_p), ("crc", c.c_uint32),
            ("next", c.c_void_p)]
        class ShortEvent(c.Structure):
            _fields_ = [("language", c.c_uint8 * 3), ("name_length", c.c_int), ("name", c.c_uint8 * 256),
                ("text_length", c.c_int), ("text", c.c_uint8 * 256)]
        class Rating(c.Structure):
            _fields_ = [("country", c.c_uint32), ("rating", c.c_uint8)]
        class Ratings(c.Structure):
            _fields_ = [("count", c.c_uint8), ("ratings", Rating * 64)]
        class Descriptor(c.Structure):
            _fields_ = [("tag", c.c_uint8), ("length", c.c_uint8), ("data", c.POINTER(c.c_uint8)),
                ("next", c.c_void_p), ("decoded", c.c_void_p)]
        def call(name, result, *arguments):
            function = getattr(lib, name)
            function.restype, function.argtypes = result, arguments
            return function
        u8, u16, u32, u64, pointer, flag = c.c_uint8, c.c_uint16, c.c_uint32, c.c_uint64, c.c_void_p, c.c_bool
        handle = call("dvbpsi_new", pointer, pointer, c.c_int)(None, 0)
        new = call("dvbpsi_eit_new", pointer, u8, u16, u8, flag, u16, u16, u8, u8)
        add = call("dvbpsi_eit_event_add", pointer, pointer, u16, u64, u32, u8, flag, u16)
        describe = call("dvbpsi_eit_event_descriptor_add", pointer, pointer, u8, u8, c.POINTER(u8))
        generate = call("dvbpsi_eit_sections_generate", c.POINTER(Section), pointer, pointer, u8)
        build = call("dvbpsi_BuildPSISection", None, pointer, c.POINTER(Section))
        short_event = call("dvbpsi_GenShortEventDr", c.POINTER(Descriptor), pointer, flag)
        rating = call("dvbpsi_GenParentalRatingDr", c.POINTER(Descriptor), pointer, flag)
        def digits(n): return n // 10 << 4 | n % 10
        def clock(s): return digits(s // 3600) << 16 | digits(s // 60 % 60) << 8 | digits(s % 60)
        def fill(array, octets):
            for index, octet in enumerate(octets): array[index] = octet
        def section(number, version, what):
            table = new(0x4E, 1, version, True, 1, 0xFF01, 1, 0x4E)
            if what:
                start = what["start"]
                event = add(table, 100 + number, (start // 86400 + 40587) << 24 | clock(start % 86400),
                    clock(what["seconds"]), 1 if number else 4, False, 0)
                short = ShortEvent()
                name = bytes(what["code"]) or b"\x15" + what["title"].encode()
                text = b"\x15" + what["text"].encode()
                fill(short.language, b"deu"); fill(short.name, name); fill(short.text, text)
                short.name_length, short.text_length = len(name), len(text)
                made = short_event(c.byref(short), False).contents
                describe(event, made.tag, made.length, made.data)
                if what["age"]:
                    ratings = Ratings(count=1)
                    ratings.ratings[0] = Rating(int.from_bytes(b"DEU", "big"), what["age"] - 3)
                    made = rating(c.byref(ratings), False).contents
                    describe(event, made.tag, made.length, made.data)
            made = generate(handle, table, 0x4E)
            made.contents.number, made.contents.last = number, 1
            build(handle, made)
            return c.string_at(made.contents.data, made.contents.length + 3)
        source, target, version, both = sys.argv[1:]
        sections = [section(n, int(version), what) for n, what in enumerate(json.loads(both))]
        stream, counter, last = bytearray(open(source, "rb").read()), 0, -10000
        for place in range(0, len(stream), 188):
            if (stream[place + 1] & 0x1F) << 8 | stream[place + 2] != 0x1FFF or place // 188 - last < 200: continue
            data = sections[counter % 2]
            assert len(data) <= 183
            packet = bytes([0x47, 0x40, 0x12, 0x10 | counter & 15, 0]) + data
            stream[place:place + 188] = packet + b"\xFF" * (188 - len(packet))
            counter, last = counter + 1, place // 188
        assert counter >= 4
        open(target, "wb").write(stream)
        """#
}
