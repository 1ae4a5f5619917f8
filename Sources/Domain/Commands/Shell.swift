// SPDX-License-Identifier: Apache-2.0

/// Shells that we write completion scripts for.
public enum Shell: String, Sendable, CaseIterable { case bash, zsh, fish }
