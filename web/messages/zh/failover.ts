import { pluralOf } from '../formats.ts'
import type { failover as en } from '../en/failover.ts'

const plural = pluralOf('zh-CN')

export const failover: typeof en = {
  title: '故障切换',
  about: '监控会检查一组记录的各个备选方案，并切换到可用的一个。请通过 API 或命令行设置。',
  none: '还没有故障切换监控。',
  state: {
    preferred: '使用首选',
    failed_over: '已切换',
    down: '不可用',
    undecided: '尚未确定',
    maintenance: '维护中',
    paused: '已暂停',
    unapproved: '待批准',
  },
  health: { up: '正常', answering: '正在恢复', down: '不可用', undecided: '尚不清楚' },
  switching: '正在切换。',
  next: '下次检查',
  last: '上次检查',
  interval: '间隔',
  every: (seconds) => plural(seconds, { other: '每 # 秒' }),
  instances: '实例',
  switched: '上次切换',
  causes: { failure: '因故障', recovery: '因恢复', hand: '手动' },
  showChange: '在历史中查看',
  pauses: {
    hand: '已由用户暂停。',
    records_changed: '已暂停：记录被他人修改。',
    author: '已暂停：设置者已无权修改这些记录。',
    partial: '已暂停：切换只执行了一部分。',
  },
  problems: {
    no_alternative: '没有可用的备选方案，未做切换。',
    not_applied: '切换未能执行。',
    partial: '切换只执行了一部分。',
  },
  served: '使用中',
  latency: (ms) => `${ms} 毫秒`,
  chart: (name, checks, failed, ms) =>
    `${name}：${plural(checks, { other: '# 次检查' })}，${failed} 次失败，最近一次 ${ms}`,
  chartNone: '没有应答',
  said: (up, down) => `${up} 个正常，${down} 个不可用`,
  certificate: (day) => `证书有效期至 ${day}`,
  pause: '暂停',
  resume: '恢复',
  approve: '批准备选方案',
  switchTo: (name) => `切换到 ${name}`,
  switchTitle: (name) => `切换到 ${name}？`,
  switchText: (values) => `记录将变为 ${values}，在恢复监控之前保持不变。`,
  switchDone: '已切换',
  force: '即使检查失败也切换',
}
