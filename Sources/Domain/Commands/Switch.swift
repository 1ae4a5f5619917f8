// SPDX-License-Identifier: Apache-2.0

/// The argument of commands that switch something on or off.
public enum Switch: String, Sendable, CaseIterable { case on, off }
