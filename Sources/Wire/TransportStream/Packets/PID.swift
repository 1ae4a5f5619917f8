// SPDX-License-Identifier: Apache-2.0

/// Packet identifiers that the standards assign.
public enum PID {
    @inlinable public static var programAssociation: UInt16 { 0 }
    @inlinable public static var conditionalAccess: UInt16 { 1 }
    /// The last PID that ISO/IEC 13818-1 assigns to a table or reserves.
    @inlinable public static var lastAssigned: UInt16 { 0xF }
    @inlinable public static var networkInformation: UInt16 { 0x10 }
    /// Service description table and bouquet association table.
    @inlinable public static var serviceDescription: UInt16 { 0x11 }
    @inlinable public static var eventInformation: UInt16 { 0x12 }
    /// Time and date table and time offset table.
    @inlinable public static var time: UInt16 { 0x14 }
    @inlinable public static var null: UInt16 { 0x1FFF }
    /// Number of PIDs: one more than the greatest.
    @inlinable public static var count: Int { 0x2000 }
}
