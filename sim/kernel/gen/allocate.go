package main

import (
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// compile is pass.Compile with registers allocated by allocate.
func compile(wide bool) pass.Interface {
	return pass.Concat(
		pass.Verify,
		pass.FunctionPass(pass.PruneJumpToFollowingLabel),
		pass.FunctionPass(pass.PruneDanglingLabels),
		pass.FunctionPass(pass.LabelTarget),
		pass.FunctionPass(pass.CFG),
		pass.InstructionPass(pass.ZeroExtend32BitOutputs),
		pass.FunctionPass(pass.Liveness),
		pass.FunctionPass(func(f *ir.Function) error { return allocate(f, wide) }),
		pass.FunctionPass(pass.BindRegisters),
		pass.FunctionPass(pass.VerifyAllocation),
		pass.FunctionPass(pass.EnsureBasePointerCalleeSaved),
		pass.Func(pass.IncludeTextFlagHeader),
		pass.FunctionPass(pass.PruneSelfMoves),
		pass.FunctionPass(pass.RequiredISAExtensions),
	)
}

// allocate is pass.AllocateRegisters, but AVX2 has only 16 vector registers,
// where that takes all 32 of AVX-512, and none needs the base pointer.
func allocate(f *ir.Function, wide bool) error {
	allocators := map[reg.Kind]*pass.Allocator{}
	for _, i := range f.Instructions() {
		for _, r := range i.Registers() {
			k := r.Kind()
			if allocators[k] == nil {
				a, err := pass.NewAllocator(available(k, wide))
				if err != nil {
					return err
				}
				allocators[k] = a
			}
			allocators[k].Add(r.ID())
		}
	}
	for _, i := range f.Instructions() {
		for _, r := range i.OutputRegisters() {
			live := i.LiveOut.OfKind(r.Kind())
			live.DiscardRegister(r)
			allocators[r.Kind()].AddInterferenceSet(r, live)
		}
	}
	f.Allocation = reg.NewEmptyAllocation()
	for _, a := range allocators {
		part, err := a.Allocate()
		if err != nil {
			return err
		}
		if err := f.Allocation.Merge(part); err != nil {
			return err
		}
	}
	return nil
}

func available(k reg.Kind, wide bool) []reg.Physical {
	var some []reg.Physical
	for _, r := range reg.FamilyOfKind(k).Registers() {
		upper := k == reg.KindVector && !wide && r.PhysicalIndex() >= 16
		if !upper && r.Info()&reg.BasePointer == 0 {
			some = append(some, r)
		}
	}
	return some
}
