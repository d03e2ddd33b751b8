package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// compile returns the passes of pass.Compile with two changes: allocate allocates the registers,
// and translateToARM64 translates code for NEON.
func compile(e extension) pass.Interface {
	finish := pass.Concat(
		pass.FunctionPass(pass.EnsureBasePointerCalleeSaved),
		pass.FunctionPass(pass.PruneSelfMoves),
		pass.FunctionPass(pass.RequiredISAExtensions),
	)
	if e == neon {
		finish = pass.FunctionPass(translateToARM64)
	}
	return pass.Concat(
		pass.Verify,
		pass.FunctionPass(pass.PruneJumpToFollowingLabel),
		pass.FunctionPass(pass.PruneDanglingLabels),
		pass.FunctionPass(pass.LabelTarget),
		pass.FunctionPass(pass.CFG),
		pass.InstructionPass(pass.ZeroExtend32BitOutputs),
		pass.FunctionPass(pass.Liveness),
		pass.FunctionPass(func(f *ir.Function) error { return allocate(f, e) }),
		pass.FunctionPass(pass.BindRegisters),
		pass.FunctionPass(pass.VerifyAllocation),
		finish,
		pass.Func(pass.IncludeTextFlagHeader),
	)
}

// allocate is like pass.AllocateRegisters, but it uses only the vector registers of the extension,
// and never the base pointer. It has one allocator for each kind of registers.
func allocate(f *ir.Function, e extension) error {
	allocators := map[reg.Kind]*pass.Allocator{}
	for _, i := range f.Instructions() {
		for _, r := range i.Registers() {
			k := r.Kind()
			if allocators[k] == nil {
				a, err := pass.NewAllocator(availableRegisters(k, e))
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
		allocation, err := a.Allocate()
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		if err := f.Allocation.Merge(allocation); err != nil {
			return err
		}
	}
	return nil
}

func availableRegisters(k reg.Kind, e extension) []reg.Physical {
	var registers []reg.Physical
	for _, r := range reg.FamilyOfKind(k).Registers() {
		isMissing := k == reg.KindVector && int(r.PhysicalIndex()) >= e.vectors // the extension lacks it
		isBasePointer := r.Info()&reg.BasePointer != 0
		if !isMissing && !isBasePointer {
			registers = append(registers, r)
		}
	}
	return registers
}
