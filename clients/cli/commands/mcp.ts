import type { Command } from 'commander'
import type { Session } from '../session.ts'

/** A place for assistants. */
export function addMcp(_program: Command, _session: Session): void {}
