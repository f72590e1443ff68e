import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear, repeated } from '../../../test/support/growth.ts';
import { cleanItem } from './clean-item.ts';
import { withoutRoles } from './roles.ts';

describe('roles of documentation', () => {
  const rows: readonly [written: string, shown: string][] = [
    ['Fixed a leak in :py:meth:`~acme.Jar.filter` -- by :user:`kim`.', 'Fixed a leak in filter'],
    ['Fixed the repr of :class:`acme.Client` (:issue:`173`)', 'Fixed the repr of acme.Client'],
    ['Add support for pip>=22.0 ({pr}`1567`)\n  -- by {user}`kim`.', 'Add support for pip>=22.0'],
    ['Closed a hole, see :cve:`2024-12254`', 'Closed a hole, see CVE-2024-12254'],
    ['`Kim fixed <pull 12_>`_ a slow report, closing `issue 13`_.', 'Kim fixed a slow report'],
    ['See `the guide <https://example.com>`__ first', 'See the guide first'],
    ['Keep `__init__` and `a_`', 'Keep __init__ and a_'],
    ['See the :doc:`guide <migrating>` before', 'See the guide before'],
  ];
  for (const [written, shown] of rows) it(written, () => assert.equal(cleanItem(written), shown));

  for (const unit of [':a:`', '{a}`', ':a:`b <', ':a', '`a <', '`a`_'])
    it(`reads ${unit} without end in linear time`, () => assertLinear(withoutRoles, repeated(unit)));
});
