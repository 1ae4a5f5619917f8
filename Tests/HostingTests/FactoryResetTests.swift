// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import TestSupport
import Testing

@testable import Hosting

/// What a box keeps is removed by an order on its disk, whatever ends the service on the way.
@Suite final class FactoryResetTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reset-\(UUID().uuidString)")
        .path
    private let elsewhere = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID().uuidString)")
        .path

    deinit {
        for path in [folder, elsewhere] { try? FileManager.default.removeItem(atPath: path) }  // temporary files
    }

    private static let kept = ["box-id", "certificate.pem", "group-commands.json", "lock", "push.json", "starts"]
    private static let lost = [
        "access.json", "access.json.new", "audit/changes", "audit/changes.old", "incidents/1/ring", "later",
        "reporter/credential.json", "reporter/key.pem", "settings/1.json", "settings/2.json", "settings/imported.json",
        "spool/7", "spool/8",
    ]

    /// - Parameter isOrdered: whether the marker is there.
    private func fill(isOrdered: Bool = true) throws {
        try? FileManager.default.removeItem(atPath: folder)  // of the run before, if there was one
        try DurableFile.makeDirectory(elsewhere)
        try DurableFile.create(elsewhere + "/own", with: [1])
        for name in Self.kept + Self.lost {
            try DurableFile.makeDirectory(DurableFile.parent(of: "\(folder)/\(name)"))
            try DurableFile.create("\(folder)/\(name)", with: Array(name.utf8))
        }
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: elsewhere)
        if isOrdered { try DurableFile.create("\(folder)/\(FactoryReset.markerName)", with: []) }
    }

    private func names() throws -> [String] { try DurableFile.names(in: folder).sorted() }

    private func expectDone() throws {
        #expect(try names() == Self.kept)
        for name in Self.kept { #expect(try DurableFile.read("\(folder)/\(name)") == Array(name.utf8)) }
        #expect(try DurableFile.read(elsewhere + "/own") == [1], "a link is not followed")
    }

    @Test func whatIsOrderedIsDoneOnce() throws {
        try fill()
        let reset = FactoryReset(directory: folder)
        let outcome = try #require(reset.carryOut())
        #expect(outcome.problem == nil)
        let removed = [
            "access.json", "access.json.new", "audit", "incidents", "later", "link", "reporter", "settings", "spool",
        ]
        #expect(outcome.removed == removed)
        try expectDone()
        #expect(reset.carryOut() == nil)
    }

    @Test func withoutAnOrderNothingIsTouched() throws {
        try fill(isOrdered: false)
        let before = try names()
        #expect(FactoryReset(directory: folder).carryOut() == nil)
        #expect(try names() == before)
        #expect(FactoryReset(directory: folder + "/nowhere").carryOut() == nil)
    }

    /// Killed before each change of the disk: nothing that stays is gone, the order is still there as long as anything is,
    /// and the next start ends it.
    @Test func killedAtEachStepTheNextStartGoesOn() throws {
        var steps = 0
        try fill()
        var counting = FactoryReset(directory: folder)
        counting.step = { (_) throws(SystemCallError) in steps += 1 }
        _ = counting.carryOut()
        #expect(steps > Self.lost.count + 6)
        for last in 1...steps {
            try fill()
            var reached = 0
            var killed = FactoryReset(directory: folder)
            killed.step = { (path) throws(SystemCallError) in
                reached += 1
                // A process that is gone makes no later change either.
                if reached >= last { throw SystemCallError("killed at \(path)", .interrupted) }
            }
            let outcome = try #require(killed.carryOut())
            #expect(outcome.problem != nil)
            let left = try names()
            #expect(left.contains(FactoryReset.markerName) && Set(left).isSuperset(of: Self.kept), "step \(last)")
            #expect(try #require(FactoryReset(directory: folder).carryOut()).problem == nil)
            try expectDone()
        }
    }

    /// What cannot be removed leaves the order on the disk, and the rest goes.
    @Test func aFileThatStaysIsTold() throws {
        try fill()
        var reset = FactoryReset(directory: folder)
        reset.step = { (path) throws(SystemCallError) in
            if path.hasSuffix("/1.json") { throw SystemCallError("unlink \(path)", .notPermitted) }
        }
        let outcome = try #require(reset.carryOut())
        #expect(outcome.problem?.code == .notPermitted && !outcome.removed.contains("settings"))
        #expect(try names() == (Self.kept + [FactoryReset.markerName, "settings"]).sorted())
        #expect(try DurableFile.names(in: folder + "/settings").sorted() == ["1.json", "2.json", "imported.json"])
        #expect(try #require(FactoryReset(directory: folder).carryOut()).removed == ["settings"])
        try expectDone()
    }
}
