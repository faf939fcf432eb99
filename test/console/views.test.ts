// Runs first: takes long for its size.
import t from 'tap'
import { visitEveryView } from './every-view.ts'

t.setTimeout(540_000)

void t.test('every view', (t) => visitEveryView(t, 'en-US', { reloads: true }))
