import { pluralOf } from '../formats.ts'
import type { history as en } from '../en/history.ts'

const plural = pluralOf('zh-CN')

export const history: typeof en = {
  label: '更改记录，最新的在前',
  none: '尚无任何更改。',
  noneFound: '没有符合筛选条件的更改。',
  filters: '筛选条件',
  name: '名称',
  type: '类型',
  anyType: '任意类型',
  actor: '操作人',
  from: '从',
  to: '到',
  service: '服务自身',
  sources: {
    ddns: '动态 DNS 客户端',
    single: '单条记录',
    bulk: '多条记录',
    apply: '一并应用',
    import: '导入区域文件',
    revert: '撤销',
    restore: '恢复',
    sync: '与服务商同步',
    switch: '切换服务商',
    replace: '跨域名替换',
    template: '来自模板',
  },
  status: {
    pending: '尚未确定',
    applied: '已完成',
    partial: '部分完成',
    failed: '未执行',
  },
  outcome: { pending: '结果尚未确定。', failed: '未执行：' },
  counts: (created, updated, deleted) =>
    [
      ...(created > 0 ? [plural(created, { other: '新增 #' })] : []),
      ...(updated > 0 ? [plural(updated, { other: '修改 #' })] : []),
      ...(deleted > 0 ? [plural(deleted, { other: '删除 #' })] : []),
    ].join('，'),
  items: (count) => plural(count, { other: '# 条记录' }),
  show: '显示更改内容',
  hide: '隐藏更改内容',
  diff: '更改前后的记录',
  undo: '撤销此更改',
  undoTitle: '撤销此更改',
  undoAbout: '现在撤销将产生以下变化。',
  undoAction: (count) => plural(count, { other: '撤销：# 项更改' }),
  undone: '已撤销',
  restore: '恢复到此更改之前',
  restoreTitle: (when) => `恢复到 ${when} 之前`,
  restoreAbout: '所有记录将恢复到此更改之前的状态，此后的更改也会一并撤销。SOA 和不在此管理的记录保持不变。',
  restoreAction: (count) => plural(count, { other: '恢复：# 项更改' }),
  restored: '已恢复',
}
