import { hash, timingSafeEqual } from 'node:crypto'

/** What is stored of a secret. Our secrets are long and random, so a plain hash of one cannot be reversed by guessing. */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

const MARK_LENGTH = 8

/** Enough of a digest to distinguish secrets, and too little to be of use to anyone else. */
export const markOf = (secretDigest: string): string => secretDigest.slice(0, MARK_LENGTH)

/** Compares a secret with a stored digest in a time that says nothing about either. */
export const matchesDigest = (secret: string, storedDigest: string): boolean =>
  isSameDigest(digest(secret), storedDigest)

/** The same for a secret of which only the digest is at hand. */
export function isSameDigest(givenDigest: string, storedDigest: string): boolean {
  const given = Buffer.from(givenDigest)
  const stored = Buffer.from(storedDigest)
  return given.length === stored.length && timingSafeEqual(given, stored)
}
