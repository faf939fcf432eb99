import { pluralOf } from '../formats.ts'
import type { plan as en } from '../en/plan.ts'

const plural = pluralOf('zh-CN')

export const plan: typeof en = {
  creates: '新增',
  updates: '修改',
  deletes: '删除',
  conflicts: '无法执行的原因',
  warnings: '请注意',
  none: '没有任何变化。',
  more: (count) => plural(count, { other: '以及另外 # 项' }),
  operation: {
    running: (done, total) => `更改较多：已完成 ${done} / ${total}。将在后台继续执行，完成后会通知您。`,
    succeeded: (done) => `已完成 ${done} 项更改。`,
    partly: (done, total) => `已完成 ${done} / ${total}，具体内容请查看历史。`,
    failed: () => '没有执行任何更改。',
  },
}
