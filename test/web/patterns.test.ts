import t from 'tap'
import {
  coversName,
  isWithin,
  judge,
  kindOf,
  patternOf,
  typedName,
  type Grant,
} from '../../web/zone/patterns.ts'
import { HOLDERS as REDIRECTION, TARGETS as REDIRECTING } from '../assignments/redirection-model.ts'
import { HOLDERS, TARGETS, label, type Given } from '../assignments/model.ts'

/* The console's own idea of what assignments allow, held against the tables that the service is held against. */

const grantOf = ({ pattern, permission }: Given): Grant => ({
  subdomainPattern: pattern === 'expired' ? '*' : pattern,
  permission: permission === 'read' ? 'read' : 'write',
  recordTypes: permission === 'write A' ? ['A'] : null,
  expiresAt: pattern === 'expired' ? '2020-01-01T00:00:00.000Z' : null,
})

for (const holder of HOLDERS) {
  void t.test(holder.title, (t) => {
    const grants = holder.given.filter(({ pattern }) => pattern !== 'none').map(grantOf)
    for (const target of TARGETS) {
      const { may, by } = judge(grants, target)
      const expected = holder.mayChange(target) ? 'change' : holder.sees(target) ? 'read' : 'nothing'
      t.equal(may, expected, label(target))
      t.equal(by === null, may === 'nothing', 'says by what')
    }
    t.end()
  })
}

for (const { title, given, sees, may } of REDIRECTION.flatMap(({ given, ...rest }) =>
  given ? [{ ...rest, given }] : [],
)) {
  void t.test(`types that redirect: ${title}`, (t) => {
    const grants = given.map(([subdomainPattern, what]): Grant => {
      const isPlain = what === 'read' || what === 'write'
      const recordTypes = isPlain ? null : what.split(',')
      return { subdomainPattern, permission: isPlain ? what : 'write', recordTypes, expiresAt: null }
    })
    for (const target of REDIRECTING) {
      const found = label(target)
      const expected = may.includes(found) ? 'change' : sees.includes(found) ? 'read' : 'nothing'
      t.equal(judge(grants, target).may, expected, found)
    }
    t.end()
  })
}

void t.test('a permission is valid until its expiry, exclusive', (t) => {
  const end = '2026-11-22T12:00:00.000Z'
  const grant: Grant = { subdomainPattern: 'app', permission: 'write', recordTypes: null, expiresAt: end }
  t.equal(judge([grant], { name: 'app', type: 'A' }, Date.parse(end) - 1).may, 'change')
  t.equal(judge([grant], { name: 'app', type: 'A' }, Date.parse(end)).may, 'nothing')
  t.end()
})

void t.test('patterns from choices', (t) => {
  t.equal(patternOf('whole', 'dev', 'example.com'), '*')
  t.equal(patternOf('apex', 'dev', 'example.com'), '@')
  t.equal(patternOf('name', 'App.example.com.', 'example.com'), 'app')
  t.equal(patternOf('below', 'dev', 'example.com'), '*.dev')
  t.equal(patternOf('below', '*.dev', 'example.com'), '*.dev')
  t.equal(patternOf('below', '@', 'example.com'), '*')
  t.same(['*', '@', 'app', '*.dev'].map(kindOf), ['whole', 'apex', 'name', 'below'])
  t.equal(typedName('example.com', 'example.com'), '@')
  t.equal(typedName('myexample.com', 'example.com'), 'myexample.com')
  t.ok(isWithin('*.a.dev', '*.dev'))
  t.notOk(isWithin('dev', '*.dev'))
  t.notOk(coversName('*.dev', 'adev'))
  t.end()
})
