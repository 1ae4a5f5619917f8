// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Films that ffmpeg makes for tests, kept in a directory: each is made once for a version of ffmpeg and a list of
/// arguments, and read by every test process of this machine.
struct FilmStore: Sendable {
    let directory: String

    /// A film that nobody has used for so long is removed.
    static let longestUnused = 14.0 * 86_400
    /// Octets of all films together. What was used within the last hour stays nevertheless: somebody may play it.
    static let mostOctets = 2 << 30
    private static let recently = 3_600.0

    /// `clips` in `TOUCHLINE_CACHE`, else in `/var/cache/touchline`; where neither can be written, a directory that ends
    /// with the process.
    static let kept: FilmStore = {
        let cache = ProcessInfo.processInfo.environment["TOUCHLINE_CACHE"] ?? "/var/cache/touchline"
        if let store = FilmStore(at: cache + "/clips") { return store }
        let path = FileManager.default.temporaryDirectory.path + "/clips-\(getpid())"
        guard let store = FilmStore(at: path) else { preconditionFailure("\(path) cannot be written") }
        atexit { try? FileManager.default.removeItem(atPath: FilmStore.kept.directory) }  // left in /tmp at worst
        return store
    }()

    /// Makes the directory and removes from it what is too old or too much.
    /// - Returns: nil if it cannot be written.
    init?(at path: String, now: Date = Date()) {
        let files = FileManager.default
        guard (try? files.createDirectory(atPath: path, withIntermediateDirectories: true)) != nil,
            files.isWritableFile(atPath: path)
        else { return nil }
        directory = path
        prune(at: now)
    }

    /// - Parameters:
    ///   - name: with the extension by which ffmpeg chooses the container.
    ///   - limit: for whoever else makes it at the moment.
    ///   - make: writes it to the path that it is given.
    /// - Returns: the film's path. Everybody may read it: VLC and Chromium run as nobody.
    func film(
        _ name: String, within limit: Duration = .seconds(300), make: (_ path: String) async throws -> Void
    ) async throws -> String {
        let (path, part) = (directory + "/" + name, directory + "/part-" + name)
        if use(path) { return path }
        // Whoever has the lock of the unfinished file makes it; the kernel unlocks it when a process ends.
        let descriptor = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw VenueError("open \(part): \(errno)") }
        defer { close(descriptor) }
        guard try await eventually(within: limit, { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }) else {
            throw VenueError("\(part) has been locked for \(limit)")
        }
        guard !use(path) else {
            unlink(part)
            return path
        }
        fchmod(descriptor, 0o644)
        try await make(part)
        guard rename(part, path) == 0 else { throw VenueError("rename \(part): \(errno)") }
        return path
    }

    /// Notes that the film is used now.
    /// - Returns: whether it is there.
    private func use(_ path: String) -> Bool { utimes(path, nil) == 0 || access(path, R_OK) == 0 }

    private func prune(at now: Date) {
        let files = FileManager.default
        // What cannot be listed, asked or removed stays, and the tests run nevertheless.
        let names = (try? files.contentsOfDirectory(atPath: directory)) ?? []
        var films: [(path: String, used: Double, octets: Int)] = names.compactMap { name in
            let path = directory + "/" + name
            guard let about = try? files.attributesOfItem(atPath: path), let used = about[.modificationDate] as? Date
            else { return nil }
            return (path, now.timeIntervalSince(used), about[.size] as? Int ?? 0)
        }
        films.sort { $0.used < $1.used }
        var octets = 0
        for film in films {
            octets += film.octets
            guard film.used > Self.longestUnused || octets > Self.mostOctets && film.used > Self.recently else {
                continue
            }
            octets -= film.octets
            unlink(film.path)
        }
    }

    /// - Parameters:
    ///   - title: for people.
    ///   - arguments: of ffmpeg, but for its output. An input that is a film itself has its own arguments in its name.
    static func name(_ title: String, _ arguments: [String], type: String) -> String {
        // FNV-1a.
        let digest = ([ffmpegVersion] + arguments).joined(separator: "\0").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64)
        {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return "\(title)-\(String(digest, radix: 16)).\(type)"
    }

    /// Of the program and its libraries.
    private static let ffmpegVersion: String = {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-version"]
        process.standardOutput = output
        guard (try? process.run()) != nil else { return "" }  // the film is not made either, and that is told
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }()
}

extension TestVenue {
    /// A film that ffmpeg makes now or has made before.
    func film(
        _ title: String, _ arguments: [String], type: String = "ts", within limit: Duration = .seconds(60)
    ) async throws -> String {
        try await FilmStore.kept.film(FilmStore.name(title, arguments, type: type)) { path in
            try await succeed(CountedVideo.ffmpeg + arguments + [path], within: limit)
        }
    }
}
